"""Success rates of words with names: differences of two groups of names, with names matched and adjusted, clusters."""

from collections.abc import Iterator

import numpy as np

from bench.simulations.measured import CHOICE, RATES, SHOWN, Rates
from bench.simulations.outcomes import Found, batches, found_of, found_of_estimates, joined
from bench.simulations.scenarios import RATE, RELATIVE, Scenario, Simulate, Simulated
from workers.statistics import estimate_cells
from workers.statistics.clusters import cluster_accuracy
from workers.statistics.confounders import adjusted_difference
from workers.statistics.permutation_tests.name_splits import least_p_of_splits
from workers.statistics.permutation_tests.two_group_rates import permute_names
from workers.statistics.rates.rate_comparisons import Successes, compare_rates, equivalence_p
from workers.statistics.units import Floats

DRAWS = 1999
"""Random splits where there are more: p counts the observed one among them, so fewer change no error rate."""
FEW = "conservative: a side with next to no success has the limits of its rate, and the interval holds the estimate"
SMALLER = "conservative: percentiles are expanded for the smaller group alone"
COARSE = "conservative: names fall into clusters in few ways, so p takes few values"
RARE = Rates(0.01, 20.0)
"""An assumption: words that next to never mislead."""


def scenarios() -> Iterator[Simulated]:
    for reference, rates in RATES.items():
        for names in (5, 12, 25):
            told = f"{reference.removeprefix('bundled:')}, {names} + {names} names"
            exempt = (FEW if rates.mean < 0.1 else SMALLER) if names == 5 else ""
            simulate = of_words(names, rates, relative=True)
            yield Scenario("sodapop", "RD of a word", told, simulate, RELATIVE, exempt)
            simulate = of_words(names, rates, relative=False)
            yield Scenario("sodapop", "difference of a word", told, simulate, RATE, exempt)
    for names in (5, 25):
        told = f"{names} + {names} names, 1% chosen"
        yield Scenario("sodapop", "RD of a word", told, of_words(names, RARE, relative=True), RELATIVE, FEW)
    for pairs in (7, 12, 25):
        yield Scenario("sodapop", "difference, names matched", f"{pairs} pairs", of_pairs(pairs), RATE)
    for names in (5, 25):
        told = f"{names} + {names} names"
        yield Scenario("sodapop", "difference, adjusted", told, of_adjusted(names), RATE)
    told = "25 + 25 names, 20 words, two kinds of names in either group"
    yield Scenario("sodapop", "clusters of names", told, of_clusters(25, 20), RATE, COARSE, factors=(0.0,))


def successes(random: np.random.Generator, shape: tuple[int, int], rates_of: Rates, apart: float) -> Successes:
    """Of names [names, words] whose rates differ around the mean and `apart`; each was asked unequally often."""
    mean, spread = rates_of.mean + apart, rates_of.concentration
    rates = random.beta(mean * spread, (1 - mean) * spread, shape)
    shown = random.poisson(SHOWN, shape).clip(1)
    return Successes(random.binomial(shown, rates).astype(np.float64), shown.astype(np.float64))


def of_words(names: int, rates_of: Rates, *, relative: bool) -> Simulate:
    """Two groups whose mean rates are around one mean, with this RD or difference."""

    def batch(effect: float, random: np.random.Generator, size: int) -> Found:
        apart = effect * rates_of.mean if relative else effect
        a, b = (successes(random, (names, size), rates_of, half * apart) for half in (0.5, -0.5))
        seed = int(random.integers(1 << 31))
        rates = compare_rates(a, b, seed=seed)
        own, margin = (rates.relative, RELATIVE) if relative else (rates.difference, RATE)
        test = permute_names([(a.rates, b.rates)], seed=seed, draws=DRAWS, threads=1)[0]
        least = least_p_of_splits(a.rates, b.rates, draws=DRAWS)
        within = equivalence_p(own, rates.names, margin)
        # A word that was never chosen has no RD, and no verdict.
        p_value = np.where(np.isnan(own.value), np.nan, test.p_value)
        return found_of(own.value, own.low, own.high, p_value, within, least_p=least, units=2 * names, truth=effect)

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        return joined([batch(effect, random, some) for some in batches(size, 500)])

    return simulate


def of_pairs(pairs: int) -> Simulate:
    """Rates of names that were paired one to one."""

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        a, b = (successes(random, (pairs, size), RATES[CHOICE], half * effect).rates for half in (0.5, -0.5))
        one = estimate_cells((a - b).T, seed=0, family=np.arange(size), margin=RATE)
        return found_of_estimates(one, units=pairs, truth=effect)

    return simulate


def of_adjusted(names: int) -> Simulate:
    """Rates that also depend on subword count and log frequency, in which the groups differ."""

    def batch(effect: float, random: np.random.Generator, size: int) -> Found:
        group = np.repeat([0.5, -0.5], names)
        traits = random.normal(size=(2 * names, 2)) + group[:, None]
        rates = (
            RATES[CHOICE].mean
            + effect * group[:, None]
            + 0.02 * traits.sum(axis=1)[:, None]
            + noise(random, (2 * names, size))
        )
        one = adjusted_difference(rates[:names], rates[names:], traits, seed=0, margin=RATE)
        return found_of(
            one.value, one.low, one.high, one.p_value, one.equivalence_p,
            least_p=one.least_p, units=2 * names, truth=effect,
        )  # fmt: skip

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        return joined([batch(effect, random, some) for some in batches(size, 100)])

    return simulate


def noise(random: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """What rates of names deviate by: that of their Beta, and of their answers."""
    mean, spread = RATES[CHOICE].mean, RATES[CHOICE].concentration
    between = random.beta(mean * spread, (1 - mean) * spread, shape) - mean
    return np.asarray(between + random.binomial(SHOWN, mean, shape) / SHOWN - mean)


def of_clusters(names: int, words: int) -> Simulate:
    """Names that fall into two kinds, which have nothing to do with their group: else no two seeds would agree.

    Single restarts: the test takes the clusters as they are, so that more of them change no error rate.
    """

    def one(random: np.random.Generator) -> tuple[float, float, float]:
        rates = noise(random, (2 * names, words)) + 0.2 * random.integers(0, 2, (2 * names, 1))
        found = cluster_accuracy(rates[:names], rates[names:], seed=0, restarts=1, margin=RATE)
        return (found.value - found.chance, found.p_value, found.least_p) if found else (np.nan,) * 3

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        value, p_value, least = np.array([one(random) for _ in range(size)]).T
        return found_of(value, np.nan, np.nan, p_value, least_p=least, units=2 * names, truth=effect)

    return simulate
