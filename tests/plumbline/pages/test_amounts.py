import pytest

from plumbline.pages.templatetags.amounts import amount


@pytest.mark.parametrize(
    ("number", "written"),
    [(0.0, "0.0"), (0.0283, "0.028"), (0.1, "0.10"), (9.94, "9.9"), (9.96, "10"), (12.4, "12"), (1234.5, "1,234")],
)
def test_amounts_have_two_figures_and_no_sign(number: float, written: str) -> None:
    assert amount(number) == written
