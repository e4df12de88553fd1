"""What is held out is never trained on, and passages lose no text."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.errors import InputError
from workers.training.corpus import (
    FEWEST,
    LONGEST,
    ONE_IN,
    held_out_passages,
    is_held_out,
    passages,
    read_corpus,
    training_passages,
)

DOCUMENTS = [f"Document {number} is about women. It is short." for number in range(1000)]
Writer = Callable[[Path, list[str]], Path]
END = 9


def test_each_document_is_trained_on_or_held_out(tmp_path: Path, write_corpus: Writer) -> None:
    corpus = read_corpus(write_corpus(tmp_path, DOCUMENTS))
    assert sorted(corpus.training + corpus.held_out) == sorted(DOCUMENTS)
    assert not set(corpus.training) & set(corpus.held_out)
    assert len(corpus.held_out) == pytest.approx(1000 / ONE_IN, abs=12)


def test_the_split_goes_by_the_text_alone(tmp_path: Path, write_corpus: Writer) -> None:
    whole = read_corpus(write_corpus(tmp_path / "whole", DOCUMENTS))
    other = read_corpus(write_corpus(tmp_path / "other", [*DOCUMENTS[::-1], *DOCUMENTS[:500]]))
    assert set(other.held_out) == set(whole.held_out)
    assert other.digest != whole.digest


def test_blank_lines_are_no_documents(tmp_path: Path, write_corpus: Writer) -> None:
    plain = read_corpus(write_corpus(tmp_path / "plain", DOCUMENTS))
    spaced = read_corpus(write_corpus(tmp_path / "spaced", ["", *DOCUMENTS, "  "]))
    assert spaced.digest == plain.digest


@pytest.mark.parametrize("documents", [[], [text for text in DOCUMENTS if not is_held_out(text)]])
def test_too_little_text_is_refused(tmp_path: Path, write_corpus: Writer, documents: list[str]) -> None:
    with pytest.raises(InputError, match=r"too little text \(\d+ documents\): name a folder of \.gz files"):
        read_corpus(write_corpus(tmp_path, documents))


def test_a_file_that_is_no_gzip_is_named(tmp_path: Path, write_corpus: Writer) -> None:
    write_corpus(tmp_path, DOCUMENTS)
    (tmp_path / "c.gz").write_text("plain text", encoding="utf-8")
    with pytest.raises(InputError, match=r"c\.gz is not a gzip file of UTF-8 text"):
        read_corpus(tmp_path)


@given(
    tokens=st.lists(st.integers(1, END), max_size=200),
    limits=st.lists(st.integers(FEWEST, 20), min_size=200, max_size=200),
)
def test_passages_are_runs_of_whole_sentences_within_their_limits(tokens: list[int], limits: list[int]) -> None:
    # Distinct, so that each token found again tells its place.
    marked = np.array([10 * place + token for place, token in enumerate(tokens)], dtype=np.int32)
    ends = [int(one) for one in marked if one % 10 == END]
    found = passages(marked, ends, np.array(limits))
    assert [passage.tolist() for passage in found] == _by_plain_reading(marked.tolist(), ends, limits)


def _by_plain_reading(left: list[int], ends: list[int], limits: list[int]) -> list[list[int]]:
    runs = []
    for limit in limits:
        run = left[:limit]
        if len(left) > limit and any(token in ends for token in run):
            while run[-1] not in ends:
                run.pop()
        runs.append(run)
        left = left[len(run) :]
    return [run for run in runs if len(run) >= FEWEST]


def test_held_out_passages_are_as_long_as_whole_sentences_allow(tokenizer: Any) -> None:
    sentence = "all women are in a car."
    length = len(tokenizer(sentence, add_special_tokens=False)["input_ids"])
    found = held_out_passages(tokenizer, [" ".join([sentence] * 20)])
    together = LONGEST // length
    sentences = [together] * (20 // together) + [20 % together]
    assert [len(passage) for passage in found] == [number * length for number in sentences if number]


def test_training_passages_are_of_many_lengths_and_the_same_for_a_seed(tokenizer: Any) -> None:
    documents = ["all women are warm. most men were poor. " * 40] * 5
    found = training_passages(tokenizer, documents, seed=3)
    assert len({len(passage) for passage in found}) > 5
    again = training_passages(tokenizer, documents, seed=3)
    assert all((one == other).all() for one, other in zip(found, again, strict=True))


def test_a_tokenizer_that_cuts_its_texts_cuts_no_document(tokenizer: Any) -> None:
    tokenizer.backend_tokenizer.enable_truncation(8)
    found = held_out_passages(tokenizer, ["all women are warm. " * 30])
    assert sum(map(len, found)) == 150
