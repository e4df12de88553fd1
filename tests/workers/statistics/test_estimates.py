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
    for figure in (estimates.ci_low, estimates.p_value, estimates.familywise_p_value, estimates.least_p):
        assert np.isnan(figure).tolist() == [False, True, True]


def test_frames_are_averaged_in_their_kind_and_kinds_weigh_alike() -> None:
    """Kind 0: frames (0 + 2)/2 = 1 and 3, so 2. Kind 1: one frame, 6. Their mean is 4, that of the items 2.75."""
    estimates = estimate_cells(np.array([[0.0, 2.0, 3.0, 6.0]]), [0, 0, 0, 1], [0, 0, 1, 2], seed=0)
    assert estimates.value.tolist() == [4.0]
    assert (estimates.n[0], estimates.n_units[0], estimates.n_frames[0]) == (4, 2, 3)


def test_the_interval_is_students() -> None:
    """Of 1, 2, 3: mean 2, standard error 1/sqrt(3), t(2) at 97.5% is 4.3027."""
    estimates = estimate_cells(np.array([[1.0, 2.0, 3.0]]), seed=0)
    assert estimates.ci_low[0] == pytest.approx(2 - 4.302653 / np.sqrt(3), abs=1e-6)
    assert estimates.ci_high[0] == pytest.approx(2 + 4.302653 / np.sqrt(3), abs=1e-6)


def test_sixteen_wordings_of_one_belief_are_one_unit() -> None:
    """The published ABC templates: with frames as units the test rejected 52 of 100 true nulls."""
    random = np.random.default_rng(11)
    kinds = np.repeat(np.arange(8), [16, 2, 2, 2, 2, 2, 2, 2])
    values = random.normal(size=(2000, 8))[:, kinds] + 0.1 * random.normal(size=(2000, len(kinds)))
    by_frame, by_kind = estimate_cells(values, seed=0, draws=999), estimate_cells(values, kinds, seed=0)
    assert np.mean(by_frame.p_value <= 0.05) > 0.3
    assert np.mean(by_kind.p_value <= 0.05) == pytest.approx(0.047, abs=0.015)
    assert np.mean((by_kind.ci_low <= 0) & (by_kind.ci_high >= 0)) == pytest.approx(0.95, abs=0.015)


def test_what_is_smaller_than_the_margin_can_be_shown() -> None:
    values = np.random.default_rng(3).normal(scale=0.05, size=(1, 10))
    assert estimate_cells(values, seed=0, margin=0.22).equivalence_p[0] == 2.0**-10
    assert np.isnan(estimate_cells(values, seed=0).equivalence_p[0])


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
    for figure in ("value", "ci_low", "ci_high", "p_value", "familywise_p_value", "least_p"):
        assert np.array_equal(getattr(first, figure), getattr(again, figure))


def test_no_cells_give_no_estimates() -> None:
    estimates = estimate_cells(np.empty((0, 4)), seed=0)
    assert estimates.value.size == estimates.p_value.size == len(estimates.reason) == 0


@settings(deadline=None, max_examples=30)
@given(order=st.permutations(range(8)), seed=st.integers(0, 1000))
def test_the_order_of_the_templates_changes_nothing(order: list[int], seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=(6, 8))
    values[values > 1.5] = NAN
    units = np.array([0, 0, 0, 1, 2, 3, 4, 4])
    ordered = estimate_cells(values, units, seed=seed)
    shuffled = estimate_cells(values[:, order], units[order], seed=seed)
    for figure in ("value", "ci_low", "ci_high", "p_value", "familywise_p_value", "least_p"):
        assert getattr(shuffled, figure) == pytest.approx(getattr(ordered, figure), nan_ok=True)


def test_ten_thousand_cells_are_estimated_at_once() -> None:
    values = np.random.default_rng(5).normal(size=(10_000, 20))
    estimates = estimate_cells(values, seed=0, family=np.arange(10_000) % 32)
    assert np.isfinite(estimates.familywise_p_value).all()
    assert (estimates.ci_low < estimates.value).all()
    assert (estimates.value < estimates.ci_high).all()
