"""Simulated differences of known frames: independent ones, and copies of one."""

import numpy as np
import pytest

from workers.statistics.alike_frames import alike_frames
from workers.statistics.units import Floats

WORDS = 32


def table(frames: int, copies: int, seed: int, words: int = WORDS, contrasts: int = 1) -> Floats:
    """Word effects that all frames share, and what each frame makes of a word: the first `copies` make the same."""
    random = np.random.default_rng(seed)
    own = random.normal(size=(frames, contrasts, words))
    own[:copies] = random.normal(size=(1, contrasts, words)) + 0.15 * own[:copies]
    return random.normal(size=(1, contrasts, words)) + random.normal(size=(frames, 1, 1)) + 0.8 * own


@pytest.mark.parametrize("words", [5, 12])
def test_independent_frames_are_warned_of_in_one_of_twenty_cases(words: int) -> None:
    warned = [bool(alike_frames(table(10, 0, seed, words), seed=seed, draws=99)) for seed in range(150)]
    assert np.mean(warned) <= 0.08


@pytest.mark.parametrize(("frames", "copies"), [(30, 16), (12, 2)])
def test_copies_are_found_and_nothing_else(frames: int, copies: int) -> None:
    """Without taking the copies as one frame, the 14 others would look alike: they all lack the copies' part."""
    (one,) = alike_frames(table(frames, copies, seed=1), seed=0)
    assert one.frames == tuple(range(copies))
    assert one.correlation > 0.9


def test_two_clusters_are_distinguished() -> None:
    values = table(12, 3, seed=2)
    values[6:9] = table(12, 3, seed=3)[:3]
    assert [one.frames for one in alike_frames(values, seed=0)] == [(0, 1, 2), (6, 7, 8)]


def test_several_contrasts_count_together() -> None:
    (one,) = alike_frames(table(12, 3, seed=4, words=6, contrasts=8), seed=0)
    assert one.frames == (0, 1, 2)


def test_words_that_a_frame_cannot_score_are_left_out() -> None:
    values = table(12, 3, seed=5)
    values[7, 0, :20] = np.nan
    (one,) = alike_frames(values, seed=0)
    assert one.frames == (0, 1, 2)
    values[7, 0, :28] = np.nan
    assert alike_frames(values, seed=0) == []


def test_what_is_scored_alike_everywhere_or_is_no_frame_at_all_warns_of_nothing() -> None:
    assert alike_frames(np.ones((4, 1, 9)), seed=0) == []
    assert alike_frames(np.ones((0, 1, 9)), seed=0) == []
    assert alike_frames(np.ones((1, 1, 9)), seed=0) == []
