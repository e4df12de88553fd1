"""What a plan says that it detects, held against the tests that its summary makes."""

import numpy as np
import pytest

from plumbline.spec.power import attainable_p
from plumbline.spec.power.detectable_effects import by_sign_flips, level_of_family
from plumbline.spec.verdicts import Verdict
from workers.statistics import estimate_cells, permute_sets
from workers.statistics.permutation_tests.name_splits import least_p_of_splits
from workers.statistics.verdicts import Effects, judge


@pytest.mark.parametrize(("kinds", "margin"), [(7, 0.22), (8, 1.5), (12, 0.22), (26, 0.22)])
def test_a_detectable_effect_is_present_in_four_of_five_runs(kinds: int, margin: float) -> None:
    effect = by_sign_flips(1.0, kinds, 0.05, margin)
    values = effect + np.random.default_rng(1).normal(size=(1500, kinds))
    assert np.mean(_present(values, margin, np.arange(1500))) == pytest.approx(0.8, abs=0.04)


@pytest.mark.parametrize(("kinds", "words"), [(12, 100), (26, 400)])
def test_so_it_is_in_a_family_in_which_one_in_twenty_is_real(kinds: int, words: int) -> None:
    effect, real = by_sign_flips(1.0, kinds, level_of_family(0.05, words), 0.22), words // 20
    found = []
    for seed in range(2000 // words):
        values = np.random.default_rng(seed).normal(size=(words, kinds))
        values[:real] += effect
        found.append(_present(values, 0.22, np.zeros(words))[:real].mean())
    assert np.mean(found) == pytest.approx(0.8, abs=0.08)


def _present(values: np.ndarray, margin: float, family: np.ndarray) -> np.ndarray:
    one = estimate_cells(values, seed=0, margin=margin)
    margins = np.full(len(values), margin)
    effects = Effects(one.value, one.p_value, one.equivalence_p, one.least_p, margins, one.n_units, family.astype(str))
    return np.array([verdict == Verdict.PRESENT for verdict in judge(effects).verdict])


@pytest.mark.parametrize(("first", "second"), [(4, 4), (5, 5), (3, 6)])
def test_no_test_of_sets_gives_a_smaller_p_than_is_reported_before(first: int, second: int) -> None:
    least = attainable_p.of_splits(first, second, 9999, attainable_p.EXACT_SPLITS)
    values = np.exp2(np.arange(first + second, dtype=np.float64))
    assert permute_sets(values[second:], values[:second], seed=0).p_value == pytest.approx(least)
    ones = np.ones((first, 1)), np.ones((second, 1))
    assert least_p_of_splits(*ones, draws=9999)[0] == pytest.approx(least)


def test_nor_does_a_sign_flip_test() -> None:
    found = estimate_cells(np.ones((1, 9)), seed=0)
    assert found.p_value[0] == attainable_p.of_sign_flips(9, 9999)
