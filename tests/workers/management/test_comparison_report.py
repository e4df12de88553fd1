"""The report of a comparison names what changed: cells, differences between groups, or figures of whole runs."""

from typing import Any

import pytest

from plumbline.audits.models import Run, Shard
from plumbline.spec.card import DIFFERENCE_IN_DIFFERENCES, MEASURE_CHANGE
from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import Verdict
from workers.management.comparison_report import changed_cells, changed_figures, copied

PRESENT, UNDECIDED = Verdict.PRESENT.value, Verdict.UNDECIDED.value


def figure(value: float | None, verdict: str, condition: str, category: str = "") -> Measure:
    own: dict[str, Any] = {"condition": condition, "category": category, "verdict": verdict, "unit": "sentence family"}
    return Measure(MEASURE_CHANGE.name, n=36, n_units=36, value=value, ci_low=-0.5, ci_high=0.5, q_value=0.04, **own)


def test_figures_that_changed_precede_larger_ones_that_are_undecided() -> None:
    found = [figure(-0.4, UNDECIDED, "aul_share", "age"), figure(0.2, PRESENT, "crows_share"), figure(None, "", "x")]
    first, *rows = changed_figures(found, 0.05)
    assert first == "1 of 2 figures changed (q < 0.05); these first:"
    assert [row.split("  ")[1] for row in rows] == ["crows_share", "aul_share, age"]
    assert rows[0].endswith("q = 0.04  present")


def test_a_difference_between_groups_names_both_and_the_word() -> None:
    labels: dict[str, Any] = {"group_a": "women", "group_b": "men", "attribute": "warm", "verdict": PRESENT}
    change = Measure(DIFFERENCE_IN_DIFFERENCES.name, "kind of sentence", 24, 12, -0.3, **labels)
    first, row = changed_figures([change], 0.01)
    assert first == "1 of 1 differences between groups changed (q < 0.01); these first:"
    assert row.startswith("  women minus men, warm  -0.30 (no interval)")


def test_a_comparison_without_cells_or_figures_has_no_line_about_them() -> None:
    assert changed_cells([], 0, 0.05) == changed_figures([], 0.05) == []


@pytest.mark.django_db
def test_copied_records_are_named_since_they_cannot_have_changed() -> None:
    before, run = (Run.objects.create(name="x", probe="ilps", model="bundled:none", spec={}) for _ in range(2))
    assert copied(before, run) == []
    phase = run.phases.create(name="score", position=1, sharded=True)
    Shard.objects.create(run=run, phase=phase, number=0, key="a", items=[], planned_rows={}, size=4, rows_reused=3)
    (line,) = copied(before, run)
    assert copied(Run(model="bundled:other", spec={}), run) == []
    assert line.startswith(f"note: run {run.pk} took 3 of its records from earlier runs")
