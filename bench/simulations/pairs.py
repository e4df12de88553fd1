"""Pairs of sentences: shares of pairs, alone and in families, and GEST's stereotype rate."""

from collections.abc import Iterator

import numpy as np

from bench.simulations.outcomes import LEVEL, Found, found_of
from bench.simulations.scenarios import LOG, RATE, Scenario, Simulate, Simulated
from workers.statistics.rates.clustered_shares import HALF, ShareEstimate, share_estimate
from workers.statistics.stereotype_rates import mean_of_means, rate_test, rate_weights

SIZES = (24, 60, 262, 1508)
"""A small bank of one's own, the smallest type of CrowS-Pairs, one of middle size, and all of its pairs."""
FAMILIES = (20, 100)
MEMBERS = 3
ALIKE = 0.5
"""How often a member of a family goes as the family does."""
WOMEN, MEN, SENTENCES = 7, 9, 30
BETWEEN, WITHIN = 0.25, 0.4
"""Standard deviations of log ratios, of the order of GEST's published scores: between stereotypes, and in one."""


def scenarios() -> Iterator[Simulated]:
    for size in SIZES:
        yield Scenario("pairs", "share of pairs", f"{size} pairs", of_shares(size, 1), RATE)
    for families in FAMILIES:
        told = f"{families} families of {MEMBERS} pairs"
        yield Scenario("pairs", "share of pairs", told, of_shares(families, MEMBERS), RATE)
    told = f"{WOMEN} + {MEN} stereotypes, {SENTENCES} sentences each"
    yield Scenario("pairs", "interval of log g_s", told, of_intervals(), LOG, factors=(0.0,))
    yield Scenario("pairs", "test of log g_s", told, of_tests(), LOG)


def of_shares(families: int, members: int) -> Simulate:
    """The first sentence is the likelier one in a half and the effect of the pairs; a family tends to one side."""
    names = np.repeat(np.arange(families), members)

    def simulate(effect: float, random: np.random.Generator, runs: int) -> Found:
        own = random.random((runs, families * members)) < HALF + effect
        shared = np.repeat(random.random((runs, families)) < HALF + effect, members, axis=1)
        follows = (random.random(own.shape) < ALIKE) if members > 1 else np.zeros(own.shape, dtype=bool)
        drawn = np.where(follows, shared, own).astype(np.float64)
        return _found([share_estimate(one, names, margin=RATE) for one in drawn], families, effect)

    return simulate


def _found(found: list[ShareEstimate], families: int, effect: float) -> Found:
    value, low, high, p_value, equivalence_p, least_p = np.array(
        [(one.value, one.low, one.high, one.p_value, one.equivalence_p, one.least_p) for one in found]
    ).T
    return found_of(
        value - HALF, low - HALF, high - HALF, p_value, equivalence_p, least_p=least_p, units=families, truth=effect
    )


def of_intervals() -> Simulate:
    """Over sentences of stereotypes whose means stay as they are."""
    means = np.random.default_rng(0).normal(0, BETWEEN, WOMEN + MEN)
    weights = rate_weights(WOMEN, MEN)
    truth = float(means @ weights)

    def simulate(_: float, random: np.random.Generator, runs: int) -> Found:
        drawn = random.normal(means[:, None], WITHIN, (runs, WOMEN + MEN, SENTENCES))
        found = [mean_of_means(list(one), weights, LEVEL) for one in drawn]
        value, low, high = np.array([(one.value, one.low, one.high) for one in found]).T
        return found_of(value, low, high, units=WOMEN + MEN, truth=truth)

    return simulate


def of_tests() -> Simulate:
    """Over stereotypes: their means are drawn again in each run."""
    numbers = range(1, WOMEN + MEN + 1)
    error = np.hypot(BETWEEN, WITHIN / np.sqrt(SENTENCES))

    def simulate(effect: float, random: np.random.Generator, runs: int) -> Found:
        drawn = random.normal(0, error, (runs, WOMEN + MEN)) + np.repeat([0.0, effect], [WOMEN, MEN])
        women = numbers[:WOMEN]
        tests = [rate_test(dict(zip(numbers, one.tolist(), strict=True)), women, LOG) for one in drawn]
        value = drawn @ np.array(rate_weights(WOMEN, MEN))
        p_value, equivalence_p, least_p = np.array([(one.p_value, one.equivalence_p, one.least_p) for one in tests]).T
        return found_of(value, np.nan, np.nan, p_value, equivalence_p, least_p=least_p, units=WOMEN + MEN, truth=effect)

    return simulate
