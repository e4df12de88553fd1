"""The strip of dots: places in pixels."""

from plumbline.pages.charts.strip_plot import Line, strip


def test_zero_is_in_the_middle_and_the_farthest_dot_near_the_edge() -> None:
    found = strip([Line("women", [-1.0, 0.0, 0.5], mean=0.0, low=-0.5, high=0.5)])
    assert found is not None
    (line,) = found.lines
    left, middle, right = line.dots
    assert middle == found.middle == line.mean
    assert 0 < left < right < found.width
    assert line.high == right
    assert (found.least, found.end) == (-1.0, 1.0)


def test_an_interval_that_reaches_beyond_the_dots_widens_the_axis() -> None:
    found = strip([Line("women", [0.5], mean=0.5, low=-2.0, high=3.0)])
    assert found is not None
    assert found.end == 3.0


def test_a_mean_beyond_dots_and_interval_still_lies_inside() -> None:
    found = strip([Line("women", [0.5], mean=-2.0)])
    assert found is not None
    (line,) = found.lines
    assert line.mean == found.left
    assert found.left < found.right < found.width


def test_lines_without_values_are_left_out() -> None:
    found = strip([Line("women", []), Line("men", [0.0])])
    assert found is not None
    assert [line.title for line in found.lines] == ["men"]
    assert strip([Line("women", [])]) is None
