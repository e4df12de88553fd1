from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.statistics import Blocks, blocks, bootstrap_interval
from workers.statistics.intervals import expanded_tail, t_interval, times_drawn

NAN = np.nan


def test_two_units_span_the_interval() -> None:
    # Student's t with one degree of freedom expands the level so far that the ends are the extremes.
    low, high = bootstrap_interval(blocks(np.array([[1.0, 3.0]])), seed=0)
    assert (low[0], high[0]) == (1.0, 3.0)


@pytest.mark.parametrize("interval", [partial(bootstrap_interval, seed=0), t_interval])
@pytest.mark.parametrize("value", [0.25, 0.1, 0.0])
def test_units_that_agree_have_no_interval_as_it_would_have_no_width(interval: Any, value: float) -> None:
    low, high = interval(blocks(np.full((1, 5), value)))
    assert np.isnan([low[0], high[0]]).all()


def test_fewer_than_two_units_have_no_interval() -> None:
    low, high = bootstrap_interval(
        blocks(np.array([[1.0, 2.0, NAN], [NAN, NAN, NAN], [1.0, 2.0, 4.0]]), [0, 0, 1]), seed=0
    )
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True, True, False]


def test_the_level_is_expanded_for_few_units() -> None:
    # t(0.975, 11) = 2.200985, times sqrt(12/11) = 2.298843, and Phi(-2.298843) = 0.010757
    assert expanded_tail(12, 0.95) == pytest.approx(0.010757, abs=1e-6)
    assert expanded_tail(100_000, 0.95) == pytest.approx(0.025, abs=1e-5)


def test_each_resample_draws_as_many_units_as_there_are() -> None:
    weights = times_drawn(7, 500, seed=3)
    assert (weights.sum(axis=0) == 7).all()
    assert weights.mean(axis=1) == pytest.approx(np.ones(7), abs=0.15)


def test_the_matrix_product_equals_a_loop_over_resamples_and_items() -> None:
    values, units = np.array([[0.5, 1.5, -2.0, 4.0, 0.25, 3.0]]), [0, 0, 0, 1, 2, 3]
    means = []
    for times in times_drawn(4, 300, seed=5).T:
        drawn = [value for value, unit in zip(values[0], units, strict=True) for _ in range(int(times[unit]))]
        means.append(sum(drawn) / len(drawn))
    tail = expanded_tail(4, 0.5)
    low, high = bootstrap_interval(blocks(values, units), seed=5, resamples=300, level=0.5)
    assert [low[0], high[0]] == pytest.approx(np.quantile(means, [tail, 1 - tail]))


def test_many_resamples_come_near_the_full_enumeration() -> None:
    values = np.array([0.3, 1.1, -0.7, 2.9, 0.05])
    means = [values[list(drawn)].mean() for drawn in product(range(5), repeat=5)]
    tail = expanded_tail(5, 0.8)
    low, high = bootstrap_interval(blocks(values[None]), seed=1, resamples=100_000, level=0.8)
    assert [low[0], high[0]] == pytest.approx(np.quantile(means, [tail, 1 - tail]), abs=0.02)


def test_whole_units_are_drawn_so_copies_of_an_item_narrow_nothing() -> None:
    values = np.random.default_rng(0).normal(size=(1, 8))
    single = bootstrap_interval(blocks(values), seed=0)
    copied = bootstrap_interval(blocks(np.repeat(values, 3, axis=1), np.repeat(np.arange(8), 3)), seed=0)
    as_if_independent = bootstrap_interval(blocks(np.repeat(values, 3, axis=1)), seed=0)
    assert np.array(copied) == pytest.approx(np.array(single))
    assert np.ptp(as_if_independent) < 0.7 * np.ptp(single)


def test_the_interval_of_a_cell_does_not_depend_on_its_neighbours() -> None:
    values = np.random.default_rng(1).normal(size=(40, 9))
    values[np.random.default_rng(2).random(values.shape) < 0.3] = NAN
    together = np.array(bootstrap_interval(blocks(values), seed=4))
    alone = [bootstrap_interval(blocks(row[None, ~np.isnan(row)]), seed=4) for row in values]
    assert together == pytest.approx(np.concatenate(alone, axis=1), nan_ok=True)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    cell = blocks(np.random.default_rng(3).normal(size=(1, 10)))
    assert bootstrap_interval(cell, seed=7) == bootstrap_interval(cell, seed=7)
    assert bootstrap_interval(cell, seed=7) != bootstrap_interval(cell, seed=8)


def test_four_units_cannot_cover_95_percent_because_no_resample_leaves_their_range() -> None:
    values = np.random.default_rng(11).normal(size=(4000, 4))
    low, high = bootstrap_interval(blocks(values), seed=0)
    assert np.mean((low <= 0) & (high >= 0)) == pytest.approx(1 - 2**-3, abs=0.02)


@pytest.mark.parametrize("units", [8, 12, 20])
def test_the_interval_covers_the_mean_of_few_normal_units(units: int) -> None:
    values = np.random.default_rng(11).normal(loc=0.4, size=(4000, units))
    low, high = bootstrap_interval(blocks(values), seed=0)
    assert 0.93 < np.mean((low <= 0.4) & (high >= 0.4)) < 0.97


def test_the_interval_covers_where_units_differ_in_size_and_cells_in_what_is_missing() -> None:
    random = np.random.default_rng(12)
    units = np.repeat(np.arange(14), [1, 3] * 7)
    values = random.normal(size=(4000, 14))[:, units] + 0.5 * random.normal(size=(4000, len(units)))
    values[random.random(values.shape) < 0.1] = NAN
    low, high = bootstrap_interval(blocks(values, units), seed=0)
    assert 0.92 < np.mean((low <= 0) & (high >= 0)) < 0.97


eighths = st.integers(-80, 80).map(lambda number: number / 8)
some_units = st.lists(st.tuples(eighths, st.integers(1, 3)), min_size=2, max_size=8)


@settings(deadline=None)
@given(units=some_units, seed=st.integers(0, 2**63))
def test_the_interval_holds_between_the_extreme_units(units: list[tuple[float, int]], seed: int) -> None:
    means, counts = np.array(units, dtype=np.float64).T
    low, high = bootstrap_interval(Blocks((means * counts)[None], counts[None]), seed=seed, resamples=50)
    if np.ptp(means):
        assert means.min() - 1e-9 <= low[0] <= high[0] <= means.max() + 1e-9


@settings(deadline=None)
@given(units=some_units, shift=eighths, scale=st.sampled_from([0.5, 2.0, 16.0]))
def test_the_interval_follows_shift_scale_and_sign(units: list[tuple[float, int]], shift: float, scale: float) -> None:
    means, counts = np.array(units, dtype=np.float64).T

    def interval(values: np.ndarray) -> list[float]:
        low, high = bootstrap_interval(Blocks((values * counts)[None], counts[None]), seed=1, resamples=50)
        return [low[0], high[0]]

    low, high = interval(means)
    assert interval(scale * means + shift) == pytest.approx(
        [scale * low + shift, scale * high + shift], abs=1e-9, nan_ok=True
    )
    assert interval(-means) == pytest.approx([-high, -low], abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(("resamples", "level"), [(0, 0.95), (100, 0.0), (100, 1.0)])
def test_an_impossible_request_is_refused(resamples: int, level: float) -> None:
    with pytest.raises(ValueError, match="at least one resample"):
        bootstrap_interval(blocks(np.zeros((1, 3))), seed=0, resamples=resamples, level=level)
