import pytest

from plumbline.spec.power import attainable_p


@pytest.mark.parametrize(("units", "least"), [(5, 0.0625), (7, 0.015625), (24, 2**-23)])
def test_so_many_sign_patterns_there_are(units: int, least: float) -> None:
    assert attainable_p.of_sign_flips(units, draws=99) == least


def test_many_units_have_random_flips_and_more_of_them_in_a_large_family() -> None:
    assert attainable_p.of_sign_flips(25, draws=9999) == 1e-4
    assert attainable_p.of_sign_flips(25, draws=9999, family=1000) == 1 / 40_001


def test_sets_of_one_size_have_a_mirror_image() -> None:
    assert attainable_p.of_splits(5, 5, 99, 10**6) == 2 / 252
    assert attainable_p.of_splits(4, 6, 99, 10**6) == 1 / 210
    assert attainable_p.of_splits(5, 5, 99, 100) == 0.01


def test_few_units_have_few_orders() -> None:
    assert attainable_p.of_orders(3, 9999) == pytest.approx(1 / 6)
    assert attainable_p.of_orders(30, 9999) == 1e-4
