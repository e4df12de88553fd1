"""Two sets compared: effect size, permutation test, random-effects mean. Released values; by hand."""

import itertools
import json
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.measures.effect_measures import effect_measures
from workers.statistics import combine, effect_interval, effect_size, permute_sets, sampling_variance
from workers.statistics.permutation_tests.set_permutations import permute_cuts
from workers.statistics.set_tests import compare, compare_cut, cut_places

SETTINGS = {"seed": 0, "draws": 999, "resamples": 200, "level": 0.95}
numbers = st.lists(st.integers(-40, 40), min_size=2, max_size=6)


def test_an_effect_size_worked_by_hand() -> None:
    # Means 3 and 1; all of 2, 4, 0, 2 about 2: squares 0, 4, 4, 0, so variance 8/3.
    assert effect_size(np.array([2.0, 4]), np.array([0.0, 2])) == pytest.approx(2 / np.sqrt(8 / 3))


def test_equal_values_have_no_effect_size() -> None:
    assert np.isnan(effect_size(np.full(3, 0.1), np.full(4, 0.1)))


def test_it_is_that_of_the_released_code(reference: Path) -> None:
    sets = {name: one / np.linalg.norm(one, axis=1, keepdims=True) for name, one in _inputs(reference).items()}
    x, y = ((sets[name] @ sets["A"].T).mean(1) - (sets[name] @ sets["B"].T).mean(1) for name in "XY")
    expected = json.loads((reference / "ceat_sets.json").read_text())["sets"]
    assert x == pytest.approx(expected["associate_X"], abs=1e-5)
    assert effect_size(x, y) == pytest.approx(expected["effect_size"], abs=1e-5)
    assert np.concatenate([x, y]).var(ddof=1) == pytest.approx(expected["var"], abs=1e-5)


def _inputs(reference: Path) -> dict[str, np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    with np.load(reference / "ceat_sets_inputs.npz") as arrays:
        return {name: arrays[name] for name in "XYAB"}


@given(numbers, numbers)
def test_turning_the_sets_round_turns_the_sign_and_keeps_p(x: list[int], y: list[int]) -> None:
    one, other = np.array(x, dtype=float), np.array(y, dtype=float)
    assert effect_size(one, other) == pytest.approx(-effect_size(other, one), nan_ok=True)
    assert permute_sets(one, other, seed=0).p_value == pytest.approx(permute_sets(other, one, seed=0).p_value)


@given(numbers, numbers)
def test_an_enumerated_p_is_the_share_of_all_splits(x: list[int], y: list[int]) -> None:
    values, size = [*x, *y], len(x)

    def difference(members: tuple[int, ...]) -> float:
        rest = [value for place, value in enumerate(values) if place not in members]
        return float(np.mean([values[place] for place in members]) - np.mean(rest))

    observed = difference(tuple(range(size)))
    every = [difference(members) for members in itertools.combinations(range(len(values)), size)]
    test = permute_sets(np.array(x, dtype=float), np.array(y, dtype=float), seed=0)
    assert test.exact
    assert test.p_value == pytest.approx(np.mean([abs(one) >= abs(observed) - 1e-9 for one in every]))
    assert test.one_sided == pytest.approx(np.mean([one > observed + 1e-9 for one in every]))


def test_the_most_extreme_of_twenty_splits() -> None:
    test = permute_sets(np.array([4.0, 5, 6]), np.array([1.0, 2, 3]), seed=0)
    assert (test.p_value, test.one_sided, test.splits) == (2 / 20, 0.0, 20)


def test_random_splits_come_near_the_enumeration_and_never_give_zero() -> None:
    random = np.random.default_rng(1)
    x, y = random.normal(0.4, 1, 9), random.normal(0, 1, 9)
    exact, drawn = (permute_sets(x, y, seed=3, draws=20_000, exact_up_to=limit) for limit in (10**6, 0))
    assert (exact.exact, drawn.exact) == (True, False)
    assert drawn.p_value == pytest.approx(exact.p_value, abs=0.02)
    assert permute_sets(x + 100, y, seed=3, draws=99, exact_up_to=0).p_value >= 1 / 100


def test_p_is_uniform_where_nothing_is_there() -> None:
    random = np.random.default_rng(2)
    p = [permute_sets(*random.normal(size=(2, 5)), seed=0).p_value for _ in range(400)]
    assert np.mean(np.array(p) <= 0.1) == pytest.approx(0.1, abs=0.04)


def test_ten_thousand_permutations_take_less_than_a_second() -> None:
    random = np.random.default_rng(3)
    started = time.process_time()
    assert permute_sets(*random.normal(size=(2, 32)), seed=0, draws=10_000).splits == 10_000
    assert time.process_time() - started < 1


def test_the_interval_holds_the_effect_and_needs_two_words_a_set() -> None:
    x, y = np.random.default_rng(4).normal(size=(2, 12)) + np.array([[1.0], [0.0]])
    low, high = effect_interval(x, y, seed=0, resamples=2000, level=0.95)
    assert low < effect_size(x, y) < high
    assert np.isnan(effect_interval(x[:1], y, seed=0, resamples=200, level=0.95)).all()


def test_sets_of_one_size_are_not_cut() -> None:
    x, y = np.random.default_rng(5).normal(size=(2, 6))
    assert compare_cut(x, y, cuts=5, **SETTINGS) == compare(x, y, **SETTINGS)  # type: ignore[arg-type]


def test_cuts_are_seeded_and_near_the_whole() -> None:
    random = np.random.default_rng(6)
    x, y = random.normal(1, 1, 16), random.normal(0, 1, 8)
    first, again = (compare_cut(x, y, cuts=40, **SETTINGS) for _ in range(2))  # type: ignore[arg-type]
    assert first == again
    assert first.effect_size == pytest.approx(float(effect_size(x, y)), abs=0.2)
    assert "40 random cuts of the larger set to 8 words" in first.note
    assert first.two_sided_note.endswith("; p is twice the mean of theirs")
    assert first.one_sided_note.endswith("; p is the mean of theirs, which is no test")
    assert len(set(first.of_cuts)) > 30
    assert np.mean(first.of_cuts) == pytest.approx(first.effect_size)


def test_cuts_whose_splits_are_few_have_them_all() -> None:
    """7 + 7 words have 3,432 splits; the most extreme one and its mirror are 2 of them, in every cut."""
    found = compare_cut(np.arange(100.0, 109), np.arange(7.0), cuts=30, **{**SETTINGS, "draws": 10_000})  # type: ignore[arg-type]
    assert found.p_value == pytest.approx(2 * 2 / 3432)
    assert found.splits == 3432
    assert "each with all 3,432 splits" in found.note


def test_each_cut_has_all_the_random_splits_that_are_asked_for_within_a_second() -> None:
    x, y = np.arange(1000.0, 1032), np.arange(25.0)
    settings = {**SETTINGS, "draws": 10_000, "resamples": 2000}
    started = time.process_time()
    found = compare_cut(x, y, cuts=100, **settings)  # type: ignore[arg-type]
    assert time.process_time() - started < 2
    assert found.p_value == pytest.approx(2 / 10_001)
    assert found.splits == 10_000


def test_the_cuts_splits_and_resamples_differ() -> None:
    """One cut many times over: with seeds of their own, the means over cuts come nearer than each alone."""
    random = np.random.default_rng(7)
    x, y = random.normal(0.2, 1, 14), random.normal(0, 1, 14)
    long = permute_sets(x, y, seed=0, draws=50_000).p_value
    drawn = permute_cuts(np.repeat(x[None], 60, axis=0), np.repeat(y[None], 60, axis=0), seed=0, draws=200)
    found = [one.p_value for one in drawn]
    assert len(set(found)) > 5
    assert np.mean(found) == pytest.approx(long, abs=0.02)


def test_the_random_effects_mean_is_dersimonian_and_lairds() -> None:
    pytest.importorskip("statsmodels")
    # By hand: w = 2, 2, 2; mean 2; Q = 2 + 0 + 2 = 4 on 2 degrees; c = 6 - 12/6 = 4; tau^2 = (4 - 2)/4 = 0.5.
    found = combine(np.array([1.0, 2, 3]), np.full(3, 0.5))
    assert (found.value, found.between, found.standard_error) == pytest.approx((2.0, 0.5, np.sqrt(1 / 3)))
    assert found.p_value == pytest.approx(2 * found.one_sided)


def test_a_variance_between_samples_is_never_negative() -> None:
    pytest.importorskip("statsmodels")
    found = combine(np.array([1.0, 1.01, 0.99]), np.full(3, 0.3))
    assert found.between == 0
    assert found.standard_error == pytest.approx(np.sqrt(0.1))


def test_a_p_that_underflows_is_not_zero() -> None:
    pytest.importorskip("statsmodels")
    assert combine(np.full(100, 9.0), np.full(100, 1e-4)).p_value > 0


def test_the_sampling_variance_by_hand() -> None:
    assert sampling_variance(np.array([1.0]), 4, 4) == pytest.approx([8 / 16 + 1 / 16])


def test_the_two_sided_p_of_cuts_is_doubled_and_the_one_sided_share_is_not() -> None:
    """By hand, from the test of each cut: the note of each row says what its p is."""
    random = np.random.default_rng(6)
    x, y = random.normal(0.5, 1, 9), random.normal(0, 1, 6)
    found = compare_cut(x, y, cuts=20, **SETTINGS)  # type: ignore[arg-type]
    kept, whole = cut_places(9, 6, 20, 0)
    tests = [permute_sets(x[a], y[b], seed=0, draws=999) for a, b in zip(kept, whole, strict=True)]
    assert found.p_value == pytest.approx(min(1, 2 * np.mean([one.p_value for one in tests])))
    assert found.one_sided == pytest.approx(np.mean([one.one_sided for one in tests]))
    two, one = effect_measures(found, {"n": 15, "n_units": 15, "unit": "word"})
    assert two.reason.endswith("p is twice the mean of theirs")
    assert one.reason.endswith("p is the mean of theirs, which is no test")
