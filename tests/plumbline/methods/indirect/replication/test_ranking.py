"""Ranks of targets for a gender, from cells as a run has them."""

from collections.abc import Mapping

import polars as pl
import pytest
from scipy import stats

from plumbline.methods.indirect.replication.ranking import both, coherence, ranks, shared, target_ranks
from plumbline.results.grid import CELLS

WORDS = ["girl", "woman", "man"]
TARGETS = ["nurse", "cook", "smith"]
INDIRECT: Mapping[tuple[str, str], float | None] = {
    ("nurse", "girl"): 0.5, ("nurse", "woman"): 0.3, ("nurse", "man"): -0.2,
    ("cook", "girl"): 0.1, ("cook", "woman"): 0.4, ("cook", "man"): 0.1,
    ("smith", "girl"): -0.3, ("smith", "woman"): -0.1, ("smith", "man"): 0.4,
}  # fmt: skip


def cells(values: Mapping[tuple[str, str], float | None], q: float | None = 0.01, n: int = 40) -> pl.DataFrame:
    rows = [
        {"group_a": target, "group_b": "", "attribute": word, "category": "gender-words", "value": value,
         "ci_low": None, "ci_high": None, "q_value": q, "verdict": "", "n": n, "reason": ""}
        for (target, word), value in values.items()
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=CELLS)


def test_a_target_is_ranked_by_the_mean_over_the_words_of_a_gender() -> None:
    _, scores = both(cells(INDIRECT), cells(INDIRECT), TARGETS, WORDS)
    found = target_ranks(scores.only(TARGETS, ["girl", "woman"]))
    assert [(one.target, one.rank) for one in found] == [("nurse", 1), ("cook", 2), ("smith", 3)]
    first = found[0]
    assert first.value == pytest.approx(0.4)
    assert (first.lowest, first.highest, first.q, first.n) == (0.3, 0.5, 0.01, 40)
    # By "girl" alone the nurse is first, by "woman" second.
    assert (first.best, first.worst) == (1, 2)


def test_ranks_among_some_are_counted_among_these_alone() -> None:
    _, scores = both(cells(INDIRECT), cells(INDIRECT), TARGETS, WORDS)
    found = target_ranks(scores.only(["cook", "smith"], ["man"]))
    assert [(one.target, one.rank) for one in found] == [("smith", 1), ("cook", 2)]


def test_both_scores_use_the_same_words_and_targets() -> None:
    direct = {**INDIRECT, **{(target, "girl"): None for target in TARGETS}, ("smith", "man"): None}
    one, other = both(cells(direct, q=None, n=2), cells(INDIRECT), TARGETS, WORDS)
    assert one.words == other.words == ["woman", "man"]
    assert one.targets == other.targets == ["nurse", "cook"]
    assert target_ranks(one)[0].q is None
    assert (one.n, other.n) == (2, 40)


def test_without_any_score_there_is_no_order() -> None:
    one, _ = both(cells(dict.fromkeys(INDIRECT)), cells(INDIRECT), TARGETS, WORDS)
    assert (one.targets, one.words, target_ranks(one)) == ([], [], [])


def test_cells_of_other_words_are_passed_over() -> None:
    more = {**INDIRECT, ("nurse", "person"): 9.0, ("lawyer", "girl"): 9.0}
    one, _ = both(cells(more), cells(INDIRECT), TARGETS, WORDS)
    assert (one.targets, one.words) == (TARGETS, WORDS)


def test_equal_values_share_the_better_rank_in_the_order_of_names() -> None:
    same = {("b", "girl"): 0.5, ("a", "girl"): 0.5, ("c", "girl"): 0.1}
    one, _ = both(cells(same), cells(same), ["b", "a", "c"], ["girl"])
    assert [(row.target, row.rank) for row in target_ranks(one)] == [("a", 1), ("b", 1), ("c", 3)]
    assert ranks(one.value)[:, 0].tolist() == [1, 1, 3]


def test_what_two_orders_share_among_their_first() -> None:
    _, scores = both(cells(INDIRECT), cells(INDIRECT), TARGETS, WORDS)
    women, men = (target_ranks(scores.only(TARGETS, words)) for words in (["girl", "woman"], ["man"]))
    assert shared(women, men, 1) == set()
    assert shared(women, men, 2) == {"cook"}


def test_words_that_order_the_targets_alike_are_coherent() -> None:
    same = {(target, word): value for word in WORDS for target, value in zip(TARGETS, (0.1, 0.2, 0.3), strict=True)}
    one, other = both(cells(same), cells(INDIRECT), TARGETS, WORDS)
    assert coherence(one) == pytest.approx(1.0)
    # girl: nurse, cook, smith; woman: cook, nurse, smith; so rho is one half.
    assert coherence(other.only(TARGETS, ["girl", "woman"])) == pytest.approx(0.5)
    assert coherence(one.only(TARGETS, ["girl"])) is None


def test_equal_scores_are_in_the_middle_of_their_ranks() -> None:
    tied = {("a", "x"): 1.0, ("b", "x"): 1.0, ("c", "x"): 0.0, ("a", "y"): 3.0, ("b", "y"): 2.0, ("c", "y"): 1.0}
    one, _ = both(cells(tied), cells(tied), ["a", "b", "c"], ["x", "y"])
    assert coherence(one) == pytest.approx(float(stats.spearmanr([1, 1, 0], [3, 2, 1]).statistic))
