from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from workers.engine.chain import chain
from workers.engine.masked import MaskedModel, MaskedQuery
from workers.engine.sentences import Encoded

Loader = Callable[[str], MaskedModel]
SENTENCE = Encoded((2, 10, 50, 51, 12, 3), (range(1, 2), range(2, 4)))


def test_tokens_are_filled_in_from_the_left_and_the_rest_stays_masked() -> None:
    assert list(chain(SENTENCE, 1, (7, 8, 9), 4)) == [
        ((2, 10, 4, 4, 4, 12, 3), 2, 7),
        ((2, 10, 7, 4, 4, 12, 3), 3, 8),
        ((2, 10, 7, 8, 4, 12, 3), 4, 9),
    ]


def test_words_that_begin_alike_share_their_inputs() -> None:
    inputs = [ids for word in ((7, 8), (7, 9), (11, 9)) for ids, _, _ in chain(SENTENCE, 1, word, 4)]
    assert len(set(inputs)) == 3


@pytest.mark.parametrize("family", ["bert", "xlnet"])
def test_over_all_words_of_two_tokens_the_probabilities_sum_to_one(masked: Loader, family: str) -> None:
    model = masked(family)
    words = list(product(range(model.vocabulary_size), repeat=2))
    steps = [step for word in words for step in chain(SENTENCE, 1, word, model.mask_token_id)]
    found = model.log_probabilities([MaskedQuery(*step) for step in steps]).reshape(-1, 2)
    assert np.exp(found.sum(axis=1)).sum() == pytest.approx(1, abs=1e-4)
