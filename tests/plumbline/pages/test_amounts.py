import pytest

from plumbline.pages.templatetags.amounts import amount, amount_limits
from plumbline.spec.measure import Measure


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0.0, "0.0"),
        (0.0283, "0.028"),
        (0.1, "0.10"),
        (0.00996, "0.010"),
        (0.0000047, "0.0000047"),
        (-0.00012, "-0.00012"),
        (9.94, "9.9"),
        (9.96, "10"),
        (12.4, "12"),
        (1234.5, "1,234"),
    ],
)
def test_amounts_have_two_figures_and_neither_a_plus_nor_a_power_of_ten(number: float, written: str) -> None:
    assert amount(number) == written


def test_an_interval_that_is_missing_is_a_dash() -> None:
    assert amount_limits(Measure("share", "pair", 9, 9, 0.5, 0.31, 0.7)) == "[0.31, 0.70]"
    assert amount_limits(Measure("share", "pair", 9, 9, 0.5)) == "-"
