"""What the comparison of a run with the one before it leaves, of two runs with other weights in the second."""

from collections.abc import Callable
from pathlib import Path

import pytest

from plumbline.audits.models import Comparison, Notice, Phase, Run
from plumbline.audits.states import RunState, WorkState
from plumbline.results import reading
from plumbline.results.summary import counted
from plumbline.spec.measure import Measure
from tests.workers.execution.conftest import execute
from tests.workers.execution.test_comparing import cells
from workers.execution import comparing

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def moved_runs(audited: Callable[[Path], int], tiny_folders: tuple[Path, Path], changed: Path) -> tuple[int, int]:
    return audited(tiny_folders[0]), audited(changed)


@pytest.fixture
def moved(moved_runs: tuple[int, int], db: None) -> tuple[Run, Run]:
    """Two runs of the plan, with other weights in the second."""
    first, second = (Run.objects.get(pk=number) for number in moved_runs)
    return first, second


def test_each_cell_has_its_n_and_units(moved: tuple[Run, Run]) -> None:
    first, second = moved
    found = cells(second)
    assert {(cell["group_a"], cell["attribute"]) for cell in found} == {
        (group, attribute) for group in ("women", "men") for attribute in ("poor", "wealthy", "dominant", "warm")
    }
    for cell in found:
        assert (cell["variant"], cell["n"], cell["n_units"], cell["unit"]) == (
            f"run:{first.pk}",
            10,
            10,
            "kind of sentence",
        )
        assert cell["ci_low"] <= cell["value"] <= cell["ci_high"]
        assert 0 < cell["p_value"] <= cell["q_value"] <= 1
    assert cells(first) == []


def test_a_cell_is_the_mean_of_the_new_score_minus_the_previous_one(moved: tuple[Run, Run]) -> None:
    items = reading.paired(moved[0].pk, moved[1].pk).filter(group="men", attribute="warm")
    (cell,) = [one for one in cells(moved[1]) if (one["group_a"], one["attribute"]) == ("men", "warm")]
    assert cell["value"] == pytest.approx((items["score_b"] - items["score_a"]).mean(), abs=1e-12)


def test_the_changes_of_differences_are_tested_for_the_life_of_findings(moved: tuple[Run, Run]) -> None:
    tested = reading.read(moved[1].pk, "measure", statistic="difference_in_differences").to_dicts()
    pairs = {(one["group_a"], one["group_b"], one["attribute"]) for one in tested}
    assert len(pairs) == len(tested) >= 4
    assert {(one["variant"], one["condition"]) for one in tested} == {(f"run:{moved[0].pk}", "ilps_difference")}
    assert all(one["verdict"] for one in tested)


def test_the_row_counts_what_was_paired_and_what_moved(moved: tuple[Run, Run]) -> None:
    row = Comparison.objects.get()
    assert (row.run, row.previous) == (moved[1], moved[0])
    assert (row.paired, row.only_previous, row.only_new, row.not_scorable, row.cells) == (80, 0, 0, 0, 8)
    assert row.moved == sum(cell["q_value"] < 0.05 for cell in cells(moved[1])) > 0
    assert row.also_differs == ["the model's weights"]


def test_the_schedules_recipients_get_the_changes(moved: tuple[Run, Run]) -> None:
    notice, row = Notice.objects.get(), Comparison.objects.get()
    assert notice.recipients == ["a@example.org"]
    assert notice.subject.startswith(f"Plumbline: {row.moved} of 8 cells that both runs asked moved: test, path:")
    told = [line for line in notice.body.splitlines() if line.startswith("  ")]
    assert len(told) == row.moved
    assert all("  q = 0.0" in line for line in told), told
    assert f"compared with run {moved[0].pk}" in notice.body
    assert "They also differ in: the model's weights." in notice.body
    assert "no proof" in notice.body


def test_the_phase_may_be_repeated(moved: tuple[Run, Run]) -> None:
    before, own = cells(moved[1]), reading.read(moved[1].pk, "measure").height
    Phase.objects.filter(run=moved[1], name="comparison").update(state=WorkState.READY, attempts=0)
    Run.objects.filter(pk=moved[1].pk).update(state=RunState.SUMMARISING)
    execute(moved[1])
    assert cells(moved[1]) == before
    assert reading.read(moved[1].pk, "measure").height == own
    assert (Comparison.objects.count(), Notice.objects.count()) == (1, 1)


def test_the_summary_may_be_repeated_next_to_it(moved: tuple[Run, Run]) -> None:
    before = reading.read(moved[1].pk, "measure")
    Phase.objects.filter(run=moved[1], name="summary").update(state=WorkState.READY, attempts=0)
    Run.objects.filter(pk=moved[1].pk).update(state=RunState.SUMMARISING)
    execute(moved[1])
    assert reading.read(moved[1].pk, "measure").height == before.height
    assert len(cells(moved[1])) == 8


def test_findings_of_a_run_are_its_own(moved: tuple[Run, Run]) -> None:
    (contrast,) = counted(moved[1].pk, "ilps_difference")
    assert contrast.attributes == 4


def test_a_run_keeps_its_comparison_when_the_previous_one_is_deleted(moved: tuple[Run, Run]) -> None:
    Run.objects.get(pk=moved[0].pk).delete()
    assert Comparison.objects.get().previous is None
    assert len(cells(moved[1])) == 8


def test_only_the_cells_that_moved_most_are_reported(moved: tuple[Run, Run]) -> None:
    row = Comparison.objects.get()
    many = [
        Measure("paired_difference", "template", 10, 10, 0.5, 0.1, 0.9, 0.01, q_value=0.02, attribute=f"word {number}")
        for number in range(comparing.MOST_TOLD + 3)
    ]
    lines = comparing.notice_lines(moved[1], row, many)
    assert sum(line.startswith("  ") for line in lines) == comparing.MOST_TOLD
    assert "and 3 more" in lines


@pytest.mark.parametrize(("probe", "unit"), [("ilps", "natural log"), ("weat", "cosine")])
def test_changes_are_reported_in_the_unit_of_the_scores_that_changed(
    moved: tuple[Run, Run], probe: str, unit: str
) -> None:
    moved[1].probe = probe
    heading = comparing.notice_lines(moved[1], Comparison.objects.get(), [])[0]
    assert f", {unit}, q < 0.05" in heading


def test_a_cell_that_could_not_be_tested_has_no_q_value_of_zero(moved: tuple[Run, Run]) -> None:
    change = Measure("paired_difference", "template", 10, 1, 0.5, group_a="women", attribute="warm")
    lines = comparing.notice_lines(moved[1], Comparison.objects.get(), [change])
    assert "  women, warm: +0.50 (no interval)  n = 10 items, 1 template" in lines
