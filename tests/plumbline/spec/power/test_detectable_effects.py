import numpy as np
import pytest
from scipy.special import nctdtrinc, stdtrit

from plumbline.spec.power.detectable_effects import by_sign_flips, by_t, fewest_unanimous, level_of_family


@pytest.mark.parametrize(("units", "p"), [(7, 0.05), (26, 0.002), (70, 0.05)])
def test_a_t_test_without_margin_has_the_power_of_the_noncentral_t(units: int, p: float) -> None:
    exact = nctdtrinc(units - 1, 0.2, stdtrit(units - 1, 1 - p / 2)) / np.sqrt(units)
    assert by_t(1 / np.sqrt(units), units - 1, p) == pytest.approx(exact, rel=0.03)


def test_an_effect_must_be_estimated_beyond_the_margin() -> None:
    """Of a certain estimate that is all there is to it; with an error its 80% point must be beyond it."""
    assert by_t(1e-9, 100, 0.05, margin=0.22) == pytest.approx(0.22)
    assert by_t(0.1, np.inf, 0.9999, margin=0.22) == pytest.approx(0.22 + 0.8416 * 0.1, abs=0.005)
    assert by_sign_flips(1e-9, 8, 0.05, margin=0.22) == pytest.approx(0.22)


def test_the_effect_is_in_the_unit_of_the_spread() -> None:
    assert by_sign_flips(3.0, 8, 0.05) == pytest.approx(3 * by_sign_flips(1.0, 8, 0.05))
    assert by_t(3.0, 8, 0.05) == pytest.approx(3 * by_t(1.0, 8, 0.05))


@pytest.mark.parametrize("units", [7, 10, 12])
def test_where_one_pattern_counts_all_units_must_agree(units: int) -> None:
    """That has a chance of 0.8 where each unit has 0.8^(1/n): an exact answer."""
    from scipy.stats import norm

    assert by_sign_flips(1.0, units, 2.0 ** (1 - units)) == pytest.approx(norm.ppf(0.8 ** (1 / units)), rel=0.06)


@pytest.mark.parametrize(("members", "level"), [(1, 0.05), (10, 0.005), (96, 0.002), (3000, 0.002)])
def test_a_family_has_the_level_of_one_in_twenty_real_members(members: int, level: float) -> None:
    assert level_of_family(0.05, members) == pytest.approx(level)


@pytest.mark.parametrize(("units", "members", "needed"), [(12, 96, 1), (12, 131, 2), (7, 96, 30), (5, 96, 120)])
def test_so_many_members_need_the_smallest_p(units: int, members: int, needed: int) -> None:
    assert fewest_unanimous(2.0 ** (1 - units), members, 0.05) == needed


def test_a_family_that_just_reaches_the_level_does() -> None:
    assert fewest_unanimous(0.05 / 3, 3, 0.05) == 1
