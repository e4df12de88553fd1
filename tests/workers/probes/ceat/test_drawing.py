"""Draws of words in sentences: as many as are wanted, the same for the same seed, and cosines draw by draw."""

import numpy as np
import pytest

from workers.probes.ceat.drawing import NOTHING, Drawn, _order, cosines


def test_enough_sentences_are_each_drawn_once_in_their_order() -> None:
    assert _order(5, 3, "0\x1fword").tolist() == [0, 1, 2]


def test_too_few_sentences_are_drawn_again_alike_for_one_seed_and_otherwise_for_another() -> None:
    first, again, other = (_order(3, 50, seed) for seed in ("0\x1fa", "0\x1fa", "1\x1fa"))
    assert set(first.tolist()) == {0, 1, 2}
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()


def drawn(*vectors: tuple[float, float]) -> Drawn:
    return Drawn(np.array(vectors, dtype=np.float32), np.arange(len(vectors)), len(vectors), 1)


def test_cosines_pair_the_draws_of_two_words() -> None:
    found = cosines(drawn((1, 0), (0, 1)), drawn((0.6, 0.8), (0.6, 0.8)))
    assert found == pytest.approx([0.6, 0.8])


def test_a_word_without_an_embedding_has_no_cosine() -> None:
    assert cosines(drawn((1, 0)), Drawn(None, NOTHING, 0, None, "'a' does not occur in the corpus")) is None
