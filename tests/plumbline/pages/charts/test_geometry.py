"""Scales, ticks, frames and bars: what all charts are laid out with."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plumbline.pages.charts.geometry import Bar, Dot, Margins, Scale, bar, farthest, roomy, round_figures

SIZES = st.floats(-1e6, 1e6, allow_subnormal=False)


def test_the_ends_of_a_scale_are_at_its_edges_and_the_middle_between_them() -> None:
    scale = Scale(-2.0, 2.0, start=10, stop=110)
    assert [scale.at(value) for value in (-2.0, 0.0, 1.0, 2.0)] == [10, 60, 85, 110]
    assert scale.middle == 60


def test_what_lies_beyond_the_ends_is_drawn_there_unless_the_scale_is_cut() -> None:
    assert Scale(0, 1, 0, 100).at(1.5) == 150
    assert Scale(0, 1, 0, 100, is_cut=True).at(1.5) == 100


@given(SIZES, st.floats(0.01, 1e3))
def test_a_cut_scale_never_leaves_its_panel(value: float, end: float) -> None:
    scale = Scale(-end, end, 10, 110, is_cut=True)
    assert 10 <= scale.at(value) <= 110
    assert scale.at(0) == scale.middle


def test_an_estimate_without_an_interval_is_a_dot_alone_and_without_a_value_nothing() -> None:
    scale = Scale(0, 1, 0, 100)
    assert scale.dot(0.5, 0.25, 0.75) == Dot(50, 25, 75)
    assert scale.dot(0.5, None, 0.75) == Dot(50)
    assert scale.dot(None, 0.25, 0.75) is None
    assert scale.place(None) is None


def test_even_ticks_are_at_both_ends_and_between_them() -> None:
    ticks = Scale(-1.0, 1.0, 100, 0).even_ticks(5)
    assert [(tick.at, tick.value) for tick in ticks] == [(100, -1), (75, -0.5), (50, 0), (25, 0.5), (0, 1)]


def test_a_frame_leaves_its_margins_and_counts_upward_from_its_bottom() -> None:
    frame = Margins(left=60, right=20, top=10, bottom=30).frame(200, 100)
    assert (frame.left, frame.right, frame.top, frame.bottom) == (60, 180, 10, 70)
    assert (frame.across(0, 1).at(0), frame.across(0, 1).at(1)) == (60, 180)
    assert (frame.upward(0, 1).at(0), frame.upward(0, 1).at(1)) == (70, 10)
    assert frame.columns(3) == [80, 120, 160]
    assert frame.columns(0) == []


def test_a_symmetric_axis_ends_at_the_farthest_value_and_has_a_length_without_any() -> None:
    assert farthest([0.5, -2.0, None]) == 2.0
    assert farthest([]) == farthest([0.0, None]) == 1.0


@given(st.lists(SIZES, min_size=1))
@example([-1e6, -999999.9999999999])
def test_an_axis_with_room_holds_every_value_between_its_ends(values: list[float]) -> None:
    least, most = roomy(values)
    assert least < min(values)
    assert max(values) < most


@given(st.lists(SIZES, max_size=5))
def test_round_figures_enclose_all_values_and_zero(values: list[float]) -> None:
    figures = round_figures(values, 4)
    assert figures[0] <= min([0.0, *values])
    assert max([0.0, *values]) <= figures[-1]
    assert 0.0 in figures
    assert len(figures) <= 7


@pytest.mark.parametrize(("values", "figures"), [([0.31], [0, 0.1, 0.2, 0.3, 0.4]), ([-3, 14], [-5, 0, 5, 10, 15])])
def test_the_steps_of_round_figures_are_one_two_or_five(values: list[float], figures: list[float]) -> None:
    assert round_figures(values, 4) == pytest.approx(figures)


def test_bars_grow_from_the_middle_to_the_side_of_their_sign_and_no_farther_than_the_edge() -> None:
    assert bar(1.0, 2.0) == Bar(50, 25)
    assert bar(-1.0, 2.0) == Bar(25, 25)
    assert bar(-9.0, 2.0) == Bar(0, 50)
    assert bar(None, 2.0) == Bar(50, 0)
