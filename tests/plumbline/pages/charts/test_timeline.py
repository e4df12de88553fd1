from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.pages.charts.timeline import Audit, chart
from plumbline.spec.measure import Measure

FIGURES = st.floats(-1e6, 1e6)


def audit(value: float | None, low: float | None = None, high: float | None = None) -> Audit:
    one = Measure("x", "word", n=3, n_units=3, value=value, ci_low=low, ci_high=high, reason="" if value else "none")
    return Audit(1, "2026-01-01", one)


@given(st.lists(st.tuples(FIGURES, FIGURES, FIGURES).map(sorted), min_size=1, max_size=50))
def test_all_that_is_drawn_lies_inside_and_higher_is_higher(found: list[list[float]]) -> None:
    drawn = chart([audit(value, low, high) for low, value, high in found])
    for dot in drawn.dots:
        assert dot.y is not None
        assert dot.low is not None
        assert dot.high is not None
        assert drawn.frame.top - 0.1 <= dot.high <= dot.y <= dot.low <= drawn.frame.bottom + 0.1
        assert drawn.frame.left < dot.x < drawn.frame.right
    assert drawn.frame.top - 0.1 <= drawn.zero <= drawn.frame.bottom + 0.1
    assert [dot.x for dot in drawn.dots] == sorted(dot.x for dot in drawn.dots)


def test_an_audit_without_a_value_has_its_place_and_no_point() -> None:
    drawn = chart([audit(1.0), audit(None), Audit(3, "", None)])
    assert [dot.y is None for dot in drawn.dots] == [False, True, True]
    assert [path.count(",") for path in drawn.paths] == [1]


def test_a_line_does_not_join_audits_that_were_asked_otherwise() -> None:
    others = replace(audit(2.0), asked_otherwise=True)
    drawn = chart([audit(1.0), audit(None), audit(1.5), others, audit(2.5)])
    assert [path.count(",") for path in drawn.paths] == [2, 2]


def test_audits_of_one_day_are_told_apart_by_their_runs() -> None:
    day = "2026-11-27"
    drawn = chart([Audit(3, day, None), Audit(5, day, None)])
    assert [dot.audit.label for dot in drawn.dots] == ["run 3", "run 5"]
    drawn = chart([Audit(3, day, None), Audit(5, "2026-11-28", None)])
    assert [dot.audit.label for dot in drawn.dots] == [day, "2026-11-28"]


def test_the_axis_has_round_figures_and_zero() -> None:
    figures = [tick.value for tick in chart([audit(0.31, 0.12, 0.55)]).ticks]
    assert figures == pytest.approx([0.0, 0.2, 0.4, 0.6])


def test_the_latest_audit_is_always_named_and_labels_do_not_crowd() -> None:
    drawn = chart([audit(1.0)] * 40)
    assert drawn.dots[-1].named
    assert sum(dot.named for dot in drawn.dots) <= 8
