"""Success rates of the same names before and after a mitigation: changes of RD, and of the accuracy of clusters."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from bench.simulations.outcomes import Found, batches, found_of, joined
from bench.simulations.scenarios import RATE, RELATIVE, Scenario, Simulate, Simulated
from workers.statistics.cluster_changes import accuracy_change
from workers.statistics.rates.rate_comparisons import Successes
from workers.statistics.rates.relative_difference_changes import Versions, relative_changes
from workers.statistics.units import Floats

SPREAD = 20.0
"""Of the rates of names in one group: Beta with this sum of its parameters."""
BEFORE = 0.2
"""RD before the mitigation."""
DRAWS = 39
"""Exchanges of the versions: fewer than the product's, which changes no error rate."""
OWN = 0.1
"""How far the mitigation changes single names, as a standard deviation of the factor on their rates."""
FEW_NAMES = "conservative: with five names in a group Welch's interval is wide"
RARE = "conservative: words with few successes are not tested"
COARSE = "conservative: names fall into clusters in few ways, so p takes few values"


def scenarios() -> Iterator[Simulated]:
    for names in (5, 12, 25):
        told = f"{names} + {names} names, 30% chosen"
        yield Scenario("sodapop", "change of RD", told, of_words(names, 0.3, 50), RELATIVE, FEW_NAMES * (names < 7))
    for names, mean, often in ((5, 0.1, 120), (12, 0.05, 120), (25, 0.02, 120)):
        told = f"{names} + {names} names, {mean:.0%} of {often} chosen"
        yield Scenario("sodapop", "change of RD", told, of_words(names, mean, often), RELATIVE, RARE)
    for names in (12, 25):
        told = f"{names} + {names} names, 40 words, clusters of chance"
        yield Scenario(
            "sodapop", "change of cluster accuracy", told, of_clusters(names, 40), RATE, COARSE, factors=(0.0,)
        )


def of_words(names: int, mean: float, often: int) -> Simulate:
    """Two groups with RD of BEFORE; the mitigation adds the effect, and a change of its own to each name."""

    def side(sign: float, effect: float, random: np.random.Generator, size: int) -> Versions:
        # Half of the difference on each side, so that the mean of both stays the same.
        half = [mean * (1 + sign * one / 2) for one in (BEFORE, BEFORE + effect)]
        own = random.beta(half[0] * SPREAD, (1 - half[0]) * SPREAD, (names, size))
        later = np.clip(own * half[1] / half[0] * (1 + OWN * random.normal(size=own.shape)), 0, 1)
        shown = random.poisson(often, own.shape).clip(1)
        return Versions(*(_chosen(rates, shown, random) for rates in (own, later)))

    def batch(effect: float, random: np.random.Generator, size: int) -> Found:
        a, b = (side(sign, effect, random, size) for sign in (1.0, -1.0))
        one = relative_changes(a, b, margin=RELATIVE)
        return found_of(
            np.where(np.isnan(one.p_value), np.nan, one.value), one.low, one.high, one.p_value, one.equivalence_p,
            units=2 * names, truth=effect,
        )  # fmt: skip

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        return joined([batch(effect, random, some) for some in batches(size, 500)])

    return simulate


def _chosen(rates: Floats, shown: npt.NDArray[np.int64], random: np.random.Generator) -> Successes:
    return Successes(random.binomial(shown, rates).astype(np.float64), shown.astype(np.float64))


def of_clusters(names: int, words: int) -> Simulate:
    """Names that are alike: which clusters two-means finds is chance, before and after."""

    def one(random: np.random.Generator) -> tuple[float, float]:
        before, after = (0.05 * random.normal(size=(2 * names, words)) for _ in range(2))
        in_a = np.repeat([True, False], names)
        found = accuracy_change(
            before, after, in_a, seed=int(random.integers(1 << 31)), draws=DRAWS, resamples=9, margin=RATE
        )
        return (found.value, found.p_value) if found else (np.nan, np.nan)

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        value, p_value = np.array([one(random) for _ in range(size)]).T
        return found_of(value, np.nan, np.nan, p_value, least_p=1 / (DRAWS + 1), units=2 * names, truth=effect)

    return simulate
