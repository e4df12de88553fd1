from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from workers.statistics import blocks, sign_flip
from workers.statistics.permutation_tests.sign_flip_tests import equivalence, sign_patterns

NAN = np.nan


def test_all_eight_flips_of_three_units_worked_by_hand() -> None:
    # 3 + 2 - 1 = 4. The flips of 3, 2, 1 reach |6| twice, |4| twice, |2| twice and 0 twice: 4 of 8 reach 4.
    assert sign_flip(blocks(np.array([[3.0, 2.0, -1.0]])), seed=0).p_value.tolist() == [0.5]


@pytest.mark.parametrize("units", [2, 4, 8, 12])
def test_units_that_all_agree_give_the_smallest_p_there_is(units: int) -> None:
    values = np.linspace(5.0, 6.0, units)[None]
    assert sign_flip(blocks(values), seed=0).p_value.tolist() == [2.0 ** (1 - units)]


def test_four_templates_can_never_be_significant() -> None:
    values = np.random.default_rng(0).normal(loc=100.0, size=(200, 4))
    assert sign_flip(blocks(values), seed=0).p_value.min() == 0.125


def test_three_quantifiers_of_one_frame_flip_together() -> None:
    values = np.array([[1.0, 1.1, 0.9, 2.0, 3.0]])
    assert sign_flip(blocks(values), seed=0).p_value.tolist() == [2.0**-4]
    assert sign_flip(blocks(values, [0, 0, 0, 1, 2]), seed=0).p_value.tolist() == [2.0**-2]


def test_a_cell_of_zeros_has_p_one() -> None:
    test = sign_flip(blocks(np.zeros((1, 6))), seed=0)
    assert test.p_value.tolist() == test.familywise_p_value.tolist() == [1.0]


def test_fewer_than_two_units_are_not_tested_and_do_not_enter_the_family() -> None:
    pair, alone, nothing = [1.0, 2.0, 3.0], [9.0, NAN, NAN], [NAN, NAN, NAN]
    test = sign_flip(blocks(np.array([pair, alone, nothing])), seed=0)
    assert np.isnan(test.p_value).tolist() == np.isnan(test.familywise_p_value).tolist() == [False, True, True]
    assert test.familywise_p_value[0] == test.p_value[0]


def test_the_maximum_over_two_cells_worked_by_hand() -> None:
    # Sign patterns +++, ++-, +-+, +-- (mirror images aside). Cell a reaches 3/sqrt(3) in the first only, cell b in the
    # second only, both 1/sqrt(3) elsewhere: two of the four maxima reach a's statistic.
    test = sign_flip(blocks(np.array([[1.0, 1.0, 1.0], [1.0, 1.0, -1.0]])), seed=0)
    assert test.p_value.tolist() == [0.25, 1.0]
    assert test.familywise_p_value.tolist() == [0.5, 1.0]


def test_copies_of_a_cell_cost_nothing() -> None:
    values = np.repeat(np.random.default_rng(1).normal(loc=0.5, size=(1, 9)), 50, axis=0)
    test = sign_flip(blocks(values), seed=0)
    assert np.array_equal(test.familywise_p_value, test.p_value)


def test_each_family_is_corrected_by_itself() -> None:
    values = np.random.default_rng(2).normal(loc=0.3, size=(30, 10))
    family = np.array(["gender", "age", "religion"] * 10)
    together = sign_flip(blocks(values), seed=0, family=family).familywise_p_value
    for label in np.unique(family):
        assert np.array_equal(
            together[family == label], sign_flip(blocks(values[family == label]), seed=0).familywise_p_value
        )


small_cells = st.integers(2, 6).flatmap(
    lambda units: st.lists(st.lists(st.integers(-4, 4), min_size=units, max_size=units), min_size=1, max_size=4)
)


@settings(deadline=None)
@given(cells=small_cells)
def test_p_values_equal_a_loop_over_all_flips(cells: list[list[int]]) -> None:
    def statistic(values: list[int], signs: tuple[int, ...]) -> float:
        length = sum(value**2 for value in values) ** 0.5 or 1.0
        return abs(sum(value * sign for value, sign in zip(values, signs, strict=True))) / length

    flips = list(product([1, -1], repeat=len(cells[0])))
    test = sign_flip(blocks(np.array(cells, dtype=np.float64)), seed=0)
    for row, values in enumerate(cells):
        observed = statistic(values, flips[0]) - 1e-9
        own = sum(statistic(values, signs) >= observed for signs in flips)
        largest = sum(max(statistic(other, signs) for other in cells) >= observed for signs in flips)
        assert test.p_value[row] == own / len(flips)
        assert test.familywise_p_value[row] == largest / len(flips)


def test_up_to_24_units_all_patterns_count() -> None:
    cells = np.random.default_rng(3).normal(loc=0.3, size=(3, 20))
    scaled, patterns = cells / np.linalg.norm(cells, axis=1, keepdims=True), sign_patterns(20, 0, 1, exact_up_to=20)
    expected = (np.abs(scaled @ patterns.T) >= np.abs(scaled.sum(axis=1, keepdims=True)) - 1e-9).mean(axis=1)
    assert sign_flip(blocks(cells), seed=0).p_value == pytest.approx(expected, abs=1e-12)


def test_above_24_units_random_flips_come_near_what_a_normal_sum_would_give() -> None:
    cells = np.random.default_rng(3).normal(loc=0.3, size=(50, 25))
    z = np.abs(cells.sum(axis=1)) / np.linalg.norm(cells, axis=1)
    assert sign_flip(blocks(cells), seed=0).p_value == pytest.approx(2 * stats.norm.sf(z), abs=0.03)


def test_random_flips_never_give_p_zero() -> None:
    test = sign_flip(blocks(np.full((1, 40), 3.0)), seed=0, draws=999)
    assert test.p_value.tolist() == test.least_p.tolist() == [1 / 1000]


def test_a_family_of_many_members_gets_as_many_flips_as_its_correction_needs() -> None:
    test = sign_flip(blocks(np.full((500, 30), 3.0)), seed=0, draws=99)
    assert test.p_value.max() == test.least_p.max() == 1 / 20_001


def test_the_smallest_p_that_units_can_give_is_reported() -> None:
    assert sign_flip(blocks(np.ones((1, 7))), seed=0).least_p.tolist() == [2.0**-6]


def test_a_cell_of_few_units_among_cells_of_many_is_enumerated() -> None:
    values = np.random.default_rng(4).normal(size=(6, 20))
    values[:3, 4:] = NAN
    values[0, :4] = 1.0
    test = sign_flip(blocks(values), seed=0)
    assert test.p_value[0] == 0.125
    assert np.array_equal(test.p_value[:3], sign_flip(blocks(values[:3, :4]), seed=0).p_value)


def test_a_random_maximum_never_undercuts_an_enumerated_p() -> None:
    values = np.random.default_rng(4).normal(size=(40, 20))
    values[:, 5:] = NAN
    test = sign_flip(blocks(values), seed=0, draws=99, family=np.arange(40))
    assert (test.familywise_p_value >= test.p_value).all()


def test_the_same_seed_gives_the_same_p_and_another_seed_another() -> None:
    cell = blocks(np.random.default_rng(5).normal(loc=0.3, size=(1, 25)))
    first, again, other = (sign_flip(cell, seed=seed).p_value[0] for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("units", [12, 16])
def test_p_is_uniform_where_there_is_nothing(units: int) -> None:
    p = sign_flip(blocks(np.random.default_rng(6).normal(size=(4000, units))), seed=0, draws=1999).p_value
    for level in (0.01, 0.05, 0.1, 0.5, 0.9):
        assert np.mean(p <= level) == pytest.approx(level, abs=4 * np.sqrt(level * (1 - level) / 4000))


@pytest.mark.parametrize("correlation", [0.0, 0.8])
def test_familywise_error_is_held_at_its_level_for_independent_and_correlated_cells(correlation: float) -> None:
    random, families, cells = np.random.default_rng(7), 600, 20
    shared, own = random.normal(size=(families, 1, 12)), random.normal(size=(families, cells, 12))
    values = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
    family = np.repeat(np.arange(families), cells)
    test = sign_flip(blocks(values.reshape(-1, 12)), seed=0, family=family)
    smallest = test.familywise_p_value.reshape(families, cells).min(axis=1)
    assert 0.025 < np.mean(smallest <= 0.05) < 0.075


def test_the_maximum_gains_on_bonferroni_where_cells_are_correlated() -> None:
    values = np.linspace(-0.5, 2.0, 12) + 0.1 * np.random.default_rng(8).normal(size=(40, 12))
    test = sign_flip(blocks(values), seed=0)
    assert np.median(test.familywise_p_value) < 0.2 * 40 * np.median(test.p_value)


def test_a_real_effect_is_found_in_most_families_and_the_other_cells_keep_their_error_rate() -> None:
    values = np.random.default_rng(9).normal(size=(400, 20, 12))
    values[:, 3] += 2.0
    test = sign_flip(blocks(values.reshape(-1, 12)), seed=0, family=np.repeat(np.arange(400), 20))
    found = test.familywise_p_value.reshape(400, 20) <= 0.05
    assert np.mean(found[:, 3]) > 0.9
    assert np.mean(np.delete(found, 3, axis=1).any(axis=1)) < 0.08


@settings(deadline=None)
@given(cells=small_cells, scale=st.sampled_from([-8.0, -1.0, 0.125, 1024.0]))
def test_p_knows_neither_scale_nor_sign(cells: list[list[int]], scale: float) -> None:
    values = np.array(cells, dtype=np.float64)
    test, scaled = (sign_flip(blocks(array), seed=0) for array in (values, scale * values))
    assert np.array_equal(test.p_value, scaled.p_value)
    assert np.array_equal(test.familywise_p_value, scaled.familywise_p_value)


@settings(deadline=None)
@given(cells=small_cells)
def test_familywise_p_is_never_below_p(cells: list[list[int]]) -> None:
    test = sign_flip(blocks(np.array(cells, dtype=np.float64)), seed=0, draws=99)
    assert (test.familywise_p_value >= test.p_value).all()
    assert (test.p_value > 0).all()


def test_a_test_without_draws_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one is needed"):
        sign_flip(blocks(np.zeros((1, 20))), seed=0, draws=0)


class TestEquivalence:
    """Two one-sided tests: shown to lie between minus and plus the margin."""

    def p(self, values: list[float], margin: float = 1.0) -> float:
        return float(equivalence(blocks(np.array([values])), np.array([margin]), seed=0)[0])

    def test_by_hand(self) -> None:
        """Above -1: 1.5, 0.5, 1.0 are all positive, so 1 of 8 flips reaches their sum. Below 1: 0.5, 1.5, 1.0 too."""
        assert self.p([0.5, -0.5, 0.0]) == 1 / 8

    def test_a_mean_beyond_the_margin_is_never_shown_to_be_within(self) -> None:
        assert self.p([2.0] * 10) > 0.5

    def test_the_sign_of_the_values_does_not_matter(self) -> None:
        values = np.random.default_rng(0).normal(scale=0.5, size=12).tolist()
        assert self.p(values) == self.p([-one for one in values])

    def test_without_a_margin_or_with_one_unit_there_is_none(self) -> None:
        found = equivalence(blocks(np.array([[0.1, 0.2], [0.1, NAN]])), np.array([NAN, 1.0]), seed=0)
        assert np.isnan(found).all()

    @pytest.mark.parametrize("units", [8, 24, 30])
    def test_an_effect_at_the_margin_passes_in_five_of_hundred(self, units: int) -> None:
        values = blocks(np.random.default_rng(units).normal(loc=0.5, size=(4000, units)))
        p = equivalence(values, np.full(4000, 0.5), seed=0, draws=1999)
        assert np.mean(p <= 0.05) < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 4000)
