"""Do padding texts change the scores? Student's t-tests, target by target; and a worker's answer to who asks."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from plumbline.audits.models import PaddingComparison, Run
from plumbline.audits.questions import ask_padding, known_padding
from plumbline.methods.indirect.card import SCORE
from plumbline.results.grid import CELLS
from plumbline.results.measure_writing import replace_measures
from tests.workers.execution.conftest import Silent
from workers.execution import Worker, answer_next
from workers.execution.padding import differing
from workers.statistics.text_differences import p_values

WORDS = [f"word {number}" for number in range(12)]
TARGETS = ["nurse", "cook", "smith"]


def scores(seed: int, shift: float = 0.0, targets: list[str] = TARGETS) -> pl.DataFrame:
    """Scores that differ a little at random, and by `shift` for the nurse."""
    of_all = np.random.default_rng(0).normal(0, 0.3, (len(TARGETS), len(WORDS)))
    noise = np.random.default_rng(seed).normal(0, 0.01, of_all.shape)
    rows = [
        {"group_a": target, "group_b": "", "attribute": word, "category": "traits", "n": 40, "reason": "",
         "value": float(of_all[row, place] + noise[row, place]) + shift * (target == "nurse")}
        for row, target in enumerate(targets)
        for place, word in enumerate(WORDS)
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=CELLS)


def test_a_shift_of_one_target_is_significant_and_a_paired_test_finds_smaller_ones() -> None:
    found = differing([{"traits": scores(1)}, {"traits": scores(2, shift=0.1)}])
    unpaired, paired = found
    assert (unpaired["paired"], paired["paired"], unpaired["pair"]) == (False, True, (1, 2))
    assert unpaired["by_p"] == (0.0, 0.0)
    assert list(paired["by_p"]) == pytest.approx([1 / 3, 1 / 3])
    assert paired["by_q"] == paired["by_p"]
    assert (paired["targets"], paired["words"]) == (3, 12)
    assert paired["largest"] == pytest.approx(0.1, abs=0.05)


def test_every_pair_of_texts_is_compared_list_by_list() -> None:
    texts = [{"traits": scores(seed), "ages": scores(seed + 9)} for seed in range(3)]
    found = differing(texts)
    assert [(one["features"], one["paired"], one["pair"]) for one in found] == [
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
    assert {one["by_p"] for one in found} == {(0.0, 0.0)}
    assert {one["largest"] for one in found} == {0.0}


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
    assert (first["targets"], first["words"]) == (2, 11)


def test_a_list_that_one_text_lacks_is_not_compared() -> None:
    found = differing([{"traits": scores(1), "ages": scores(3)}, {"traits": scores(2)}])
    assert {one["features"] for one in found} == {"traits"}


@pytest.fixture
def runs(db: None) -> list[Run]:
    """Two finished runs; the scores of the nurse are others in the second one."""
    found = [
        Run.objects.create(name="r", probe="indirect", model="path:m", spec={"padding": text}, state="done")
        for text in ("", "It was a bright cold day.")
    ]
    for run, seed, shift in zip(found, (1, 2), (0.0, 0.1), strict=True):
        own = scores(seed, shift).select("group_a", "attribute", "category", "value", "n")
        replace_measures(run.pk, own.with_columns(statistic=pl.lit(SCORE)))
    return found


def answer() -> None:
    assert answer_next(Worker("test", Silent(), owner=""), lambda _: None)


def test_a_worker_answers_and_the_answer_is_kept_for_these_runs(runs: list[Run]) -> None:
    assert ask_padding(runs)
    assert not ask_padding(runs)
    answer()
    found = known_padding(runs)
    assert found is not None
    assert (found.answered, found.error) == (True, "")
    unpaired, paired = found.found
    assert (unpaired["features"], unpaired["paired"], paired["paired"]) == ("traits", False, True)
    assert paired["by_p"] == pytest.approx([1 / 3, 1 / 3])
    assert (paired["pair"], paired["targets"], paired["words"]) == ([1, 2], 3, 12)


def test_the_answer_is_not_that_of_a_run_that_was_finished_again(runs: list[Run]) -> None:
    ask_padding(runs)
    answer()
    Run.objects.filter(pk=runs[1].pk).update(finished_at="2026-01-01T00:00:00Z")
    assert known_padding([Run.objects.get(pk=run.pk) for run in runs]) is None


@pytest.mark.parametrize("change", [{"finished_at": "2026-01-01T00:00:00Z"}, None])
def test_runs_that_changed_since_somebody_asked_are_not_compared(
    runs: list[Run], change: dict[str, Any] | None
) -> None:
    ask_padding(runs)
    second = Run.objects.filter(pk=runs[1].pk)
    second.update(**change) if change else second.delete()
    answer()
    assert PaddingComparison.objects.get().error.startswith("a run was resumed or deleted since")
