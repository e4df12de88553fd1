import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.statistics import estimate_cells

NAN = np.nan


def test_an_undefined_figure_is_empty_with_its_n_and_reason() -> None:
    values = np.array([[1.0, 2.0, 4.0], [1.0, 2.0, NAN], [NAN, NAN, NAN]])
    estimates = estimate_cells(values, [0, 0, 1], seed=0)
    assert estimates.reason == ("", "one unit: no interval and no test", "no scorable item")
    assert estimates.n.tolist() == [3, 2, 0]
    assert estimates.n_units.tolist() == [2, 1, 0]
    assert np.isnan(estimates.value).tolist() == [False, False, True]
    for figure in (estimates.ci_low, estimates.p_value, estimates.familywise_p_value, estimates.q_value):
        assert np.isnan(figure).tolist() == [False, True, True]


def test_the_value_is_the_mean_over_all_scorable_items() -> None:
    values = np.random.default_rng(0).normal(size=(20, 12))
    values[np.random.default_rng(1).random(values.shape) < 0.2] = NAN
    assert estimate_cells(values, np.arange(12) // 3, seed=0).value == pytest.approx(np.nanmean(values, axis=1))


def test_q_is_taken_over_the_family_of_the_cell() -> None:
    values = np.array([[1.0] * 6, [1.0, -1.0] * 3, [1.0] * 6])
    estimates = estimate_cells(values, seed=0, family=["gender", "gender", "age"])
    assert estimates.p_value.tolist() == [2.0**-5, 1.0, 2.0**-5]
    assert estimates.q_value.tolist() == [2.0**-4, 1.0, 2.0**-5]


def test_a_strong_association_is_found_with_twelve_frames_and_not_with_four() -> None:
    values = np.random.default_rng(2).normal(loc=1.5, scale=0.5, size=(1, 12))
    assert estimate_cells(values, seed=0).p_value[0] < 0.01
    assert estimate_cells(values[:, :4], seed=0).p_value[0] == 0.125


def test_three_quantifiers_of_four_frames_are_four_units_not_twelve() -> None:
    values = np.random.default_rng(3).normal(loc=1.5, scale=0.5, size=(1, 12))
    estimates = estimate_cells(values, np.repeat(np.arange(4), 3), seed=0)
    assert (estimates.n[0], estimates.n_units[0], estimates.p_value[0]) == (12, 4, 0.125)


def test_the_same_seed_gives_the_same_estimates() -> None:
    values = np.random.default_rng(4).normal(size=(5, 20))
    first, again = (estimate_cells(values, seed=9) for _ in range(2))
    for figure in ("value", "ci_low", "ci_high", "p_value", "familywise_p_value", "q_value"):
        assert np.array_equal(getattr(first, figure), getattr(again, figure))


def test_no_cells_give_no_estimates() -> None:
    estimates = estimate_cells(np.empty((0, 4)), seed=0)
    assert estimates.value.size == estimates.q_value.size == len(estimates.reason) == 0


@settings(deadline=None, max_examples=30)
@given(order=st.permutations(range(8)), seed=st.integers(0, 1000))
def test_the_order_of_the_templates_changes_nothing(order: list[int], seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=(6, 8))
    values[values > 1.5] = NAN
    units = np.array([0, 0, 0, 1, 2, 3, 4, 4])
    ordered = estimate_cells(values, units, seed=seed, resamples=100)
    shuffled = estimate_cells(values[:, order], units[order], seed=seed, resamples=100)
    for figure in ("value", "ci_low", "ci_high", "p_value", "familywise_p_value", "q_value"):
        assert getattr(shuffled, figure) == pytest.approx(getattr(ordered, figure), nan_ok=True)


def test_ten_thousand_cells_are_estimated_at_once() -> None:
    values = np.random.default_rng(5).normal(size=(10_000, 20))
    estimates = estimate_cells(values, seed=0, family=np.arange(10_000) % 32)
    assert np.isfinite(estimates.familywise_p_value).all()
    assert (estimates.ci_low < estimates.value).all()
    assert (estimates.value < estimates.ci_high).all()
