import numpy as np
import pytest

from workers.statistics.crossed import NOTHING, ONE_GROUP, Crossed, crossed_mean, crossed_ratio
from workers.statistics.resampling import Resampling

HOW = Resampling(seed=0, resamples=2000, permutations=9999, level=0.95)
NAN = np.nan


def full(groups: int, *, split: int = 0) -> Crossed:
    """All pairs of the first `split` groups with the others, two strata; with 0 all pairs of all groups."""
    pairs = np.array([(a, b) for a in range(groups) for b in range(groups) if (a < split <= b if split else a < b)])
    return Crossed(pairs[:, 0], pairs[:, 1], (np.arange(groups) >= split).astype(np.intp) if split else None)


def test_the_value_is_the_mean_of_the_pairs_that_are_known() -> None:
    found = crossed_mean(np.array([1.0, 2.0, NAN]), full(3), HOW)
    assert (found.value, found.n, found.n_units) == (1.5, 2, 3)


def test_a_ratio_is_of_sums_not_of_pairs() -> None:
    found = crossed_ratio(np.array([1.0, 0.0, 0.0]), np.array([1.0, 1.0, 2.0]), full(3), HOW)
    assert found.value == 0.25


def test_groups_are_resampled_not_pairs() -> None:
    """Every pair of group 0 is 1, all others are 0: the mean hangs on how often one group of twelve is drawn."""
    pairs = full(12)
    found = crossed_mean((pairs.first == 0).astype(float), pairs, HOW)
    alone = np.std((pairs.first == 0).astype(float), ddof=1) / np.sqrt(len(pairs.first))
    assert found.ci_high - found.ci_low > 2 * 1.96 * alone * 1.4


def test_the_interval_covers_the_mean_of_crossed_effects() -> None:
    generator = np.random.default_rng(1)
    pairs, covered = full(20, split=10), 0
    for seed in range(100):
        one, other = generator.normal(size=(2, 20))
        values = one[pairs.first] + other[pairs.second] + generator.normal(size=len(pairs.first))
        found = crossed_mean(values, pairs, Resampling(seed, 400, 99, 0.95))
        covered += found.ci_low <= 0 <= found.ci_high
    # Between the level, less what 100 trials may miss it by, and all: it is conservative.
    assert covered >= 90


def test_two_groups_on_a_side_cannot_be_significant() -> None:
    found = crossed_mean(np.ones(20), full(12, split=2), HOW, test=True)
    assert found.p_value == 0.5


def test_the_side_with_the_larger_p_decides() -> None:
    pairs = full(12, split=6)
    signs = np.where(pairs.second % 2, 1.0, -1.0)
    assert crossed_mean(np.ones(36), pairs, HOW, test=True).p_value == 2**-5
    assert crossed_mean(signs, pairs, HOW, test=True).p_value == 1.0


def test_one_group_on_a_side_has_no_interval() -> None:
    found = crossed_mean(np.ones(3), full(4, split=1), HOW, test=True)
    assert (found.value, found.reason) == (1.0, ONE_GROUP)
    assert np.isnan([found.ci_low, found.ci_high, found.p_value]).all()


def test_no_pair_has_no_value() -> None:
    found = crossed_mean(np.array([NAN, NAN, NAN]), full(3), HOW)
    assert (found.n, found.n_units, found.reason) == (0, 0, NOTHING)
    assert np.isnan(found.value)


@pytest.mark.parametrize("seed", [0, 7])
def test_the_same_seed_gives_the_same_interval(seed: int) -> None:
    how, values = Resampling(seed, 300, 99, 0.95), np.random.default_rng(0).normal(size=10)
    assert crossed_mean(values, full(5), how) == crossed_mean(values, full(5), how)


def test_what_both_sides_share_is_not_taken_for_an_effect() -> None:
    """Groups of both sides differ and nothing else does: flips of either side alone reject 8% of true nulls."""
    generator, pairs, rejected = np.random.default_rng(2), full(16, split=8), 0
    for seed in range(500):
        effects = generator.normal(size=16)
        found = crossed_mean(effects[pairs.first] + effects[pairs.second], pairs, Resampling(seed, 200, 99), test=True)
        rejected += found.p_value < 0.05
    assert rejected / 500 <= 0.06
