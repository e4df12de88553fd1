"""How a signed number looks: a mark of its sign, and one of four depths of colour."""

import pytest

from plumbline.pages.charts.direction_style import Lean, lean


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.1, Lean("lean more-1", "▲")),
        (-0.6, Lean("lean less-3", "▼")),
        (1.0, Lean("lean more-4", "▲")),
        (9.0, Lean("lean more-4", "▲")),
        (0.0, Lean("", "")),
        (None, Lean("hatched", "")),
    ],
)
def test_colours_deepen_towards_the_end_and_no_further(value: float | None, shown: Lean) -> None:
    assert lean(value, 1.0) == shown


def test_where_all_values_are_zero_the_end_is_one() -> None:
    assert lean(0.3, 0.0) == lean(0.3, 1.0)
