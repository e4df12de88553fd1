"""The small tokenizers of these tests are the same in each process, so that a test that fails fails again."""

import pytest

from tests.workers.engine.conftest import build_tokenizer


@pytest.mark.parametrize("kind", ["wordpiece", "bytes", "unigram"])
def test_a_tokenizer_is_the_same_each_time_it_is_built(kind: str) -> None:
    once, again = (build_tokenizer(kind).backend_tokenizer.to_str() for _ in range(2))
    assert once == again
