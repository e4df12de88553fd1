"""Do padding texts change the scores? Student's t-tests, target by target."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from plumbline.review.known.padding import differing, p_values
from tests.plumbline.review.known.test_ranking import cells

WORDS = [f"word {number}" for number in range(12)]
TARGETS = ["nurse", "cook", "smith"]


def scores(seed: int, shift: float = 0.0, targets: list[str] = TARGETS) -> pl.DataFrame:
    """Scores that differ a little at random, and by `shift` for the nurse."""
    of_all = np.random.default_rng(0).normal(0, 0.3, (len(TARGETS), len(WORDS)))
    noise = np.random.default_rng(seed).normal(0, 0.01, of_all.shape)
    return cells(
        {
            (target, word): float(of_all[row, place] + noise[row, place]) + shift * (target == "nurse")
            for row, target in enumerate(targets)
            for place, word in enumerate(WORDS)
        }
    )


def test_a_shift_of_one_target_is_seen_and_a_paired_test_sees_smaller_ones() -> None:
    found = differing([{"traits": scores(1)}, {"traits": scores(2, shift=0.1)}])
    unpaired, paired = found
    assert (unpaired.paired, paired.paired, unpaired.pair) == (False, True, (1, 2))
    assert unpaired.by_p == (0.0, 0.0)
    assert list(paired.by_p) == pytest.approx([1 / 3, 1 / 3])
    assert paired.by_q == paired.by_p
    assert (paired.targets, paired.words) == (3, 12)
    assert paired.largest == pytest.approx(0.1, abs=0.05)


def test_every_pair_of_texts_is_compared_list_by_list() -> None:
    texts = [{"traits": scores(seed), "ages": scores(seed + 9)} for seed in range(3)]
    found = differing(texts)
    assert [(one.features, one.paired, one.pair) for one in found] == [
        (features, paired, pair)
        for features in ("traits", "ages")
        for paired in (False, True)
        for pair in ((1, 2), (1, 3), (2, 3))
    ]


def test_the_tests_are_scipys() -> None:
    one, other = (np.random.default_rng(seed).normal(size=(2, 8)) for seed in (1, 2))
    assert p_values(one, other, paired=False)[1] == pytest.approx(stats.ttest_ind(one[1], other[1]).pvalue)
    assert p_values(one, other, paired=True)[0] == pytest.approx(stats.ttest_rel(one[0], other[0]).pvalue)


def test_texts_that_change_nothing_differ_nowhere() -> None:
    found = differing([{"traits": scores(1)}, {"traits": scores(1)}])
    assert {one.by_p for one in found} == {(0.0, 0.0)}
    assert {one.largest for one in found} == {0.0}


def test_a_target_whose_scores_all_shift_alike_differs() -> None:
    """The differences do not vary at all."""
    one = np.arange(4.0)[None, :]
    assert p_values(one, one + 1, paired=True)[0] == pytest.approx(0.0, abs=1e-12)


def test_only_words_and_targets_that_every_text_has_a_score_for_are_compared() -> None:
    few = (
        scores(2)
        .with_columns(value=pl.when(pl.col("attribute") == WORDS[0]).then(None).otherwise(pl.col("value")))
        .filter(pl.col("group_a") != "smith")
    )
    first, _ = differing([{"traits": scores(1)}, {"traits": few}])
    assert (first.targets, first.words) == (2, 11)


def test_a_list_that_one_text_lacks_is_not_compared() -> None:
    found = differing([{"traits": scores(1), "ages": scores(3)}, {"traits": scores(2)}])
    assert {one.features for one in found} == {"traits"}
