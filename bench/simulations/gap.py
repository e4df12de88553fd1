"""Pronouns of two genders: differences of P(neither), how good the classifier is, and the correlation with topics."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy import stats

from bench.simulations.outcomes import Found, batches, found_of, joined
from bench.simulations.scenarios import CORRELATION, RATE, Scenario, Simulate, Simulated
from plumbline.spec.banks.passages import NEITHER
from workers.probes.gap.correlation import Correlation, rank_correlation
from workers.probes.gap.summary import pair_counts
from workers.statistics.intervals import t_interval
from workers.statistics.permutation_tests.set_permutations import permute_cuts
from workers.statistics.rates.rate_intervals import rate_interval
from workers.statistics.two_means import difference_of_means
from workers.statistics.units import Blocks, Floats, blocks

SIZES = (15, 227)
"""Passages of a gender: the smallest bank that a run takes, and GAP's own validation set."""
REALLY_NEITHER = 0.11
"""The share of GAP's passages whose pronoun refers to neither name."""
TOLD, OTHERS = (1.2, 3.0), (0.6, 5.0)
"""P(neither) where it is so and where it is not: Beta with these parameters."""
ACCURACY = 0.65
BESIDE = 0.3
"""How far passage length and number of names move either side, in standard deviations."""
FEW_WRONG = "conservative: fewer than five wrong answers have the limits of their share"
WIDENED = "conservative: percentiles are widened for few passages"
DRAWS, RESAMPLES = 99, 200
"""Fewer than a run has, which changes no error rate: p counts the genders as they are among the permutations."""


def scenarios() -> Iterator[Simulated]:
    for size in SIZES:
        told = f"{size} + {size} passages"
        yield Scenario("gap", "difference of P(neither)", told, of_differences(size, excess=False), RATE)
        yield Scenario("gap", "difference of the excess", told, of_differences(size, excess=True), RATE)
    for size in (50, 227):
        yield Scenario("gap", "P(neither) of a gender", f"{size} passages", of_means(size), RATE, factors=(0.0,))
    for size in SIZES:
        for verdict, simulate in (("accuracy", of_accuracy(size)), ("F1", of_f1(size))):
            told, exempt = f"{size} passages", FEW_WRONG if size == 15 else ""
            yield Scenario("gap", f"{verdict} of a gender", told, simulate, RATE, exempt, factors=(0.0,))
    for size in (15, 60):
        for partial, apart in (("", 0), (", partial", 2)):
            simulate, exempt = of_correlations(size, apart), WIDENED if size == 15 else ""
            told = f"{size} passages{partial}"
            yield Scenario("gap", "correlation with topics", told, simulate, CORRELATION, exempt)


def neither(random: np.random.Generator, shape: tuple[int, int], effect: float) -> tuple[Floats, Floats]:
    """P(neither) of passages, and whether it is so; the effect moves what is said, and not what is so."""
    really = random.random(shape) < REALLY_NEITHER
    said = np.where(really, random.beta(*TOLD, shape), random.beta(*OTHERS, shape))
    return said + effect, really.astype(np.float64)


def of_differences(size: int, *, excess: bool) -> Simulate:
    def batch(effect: float, random: np.random.Generator, runs: int) -> Found:
        sides = [neither(random, (runs, size), own) for own in (effect, 0.0)]
        x, y = (said - really if excess else said for said, really in sides)
        one = difference_of_means(x, y, margin=RATE)
        tests = permute_cuts(x, y, seed=int(random.integers(1 << 31)), draws=DRAWS)
        p_value = [test.p_value for test in tests]
        return found_of(
            one.value, one.ci_low, one.ci_high, p_value, one.equivalence_p,
            least_p=1 / (DRAWS + 1), units=2 * size, truth=effect,
        )  # fmt: skip

    def simulate(effect: float, random: np.random.Generator, runs: int) -> Found:
        return joined([batch(effect, random, some) for some in batches(runs, 100)])

    return simulate


def of_means(size: int) -> Simulate:
    """An interval without a test."""
    truth = REALLY_NEITHER * stats.beta.mean(*TOLD) + (1 - REALLY_NEITHER) * stats.beta.mean(*OTHERS)

    def simulate(_: float, random: np.random.Generator, runs: int) -> Found:
        said = blocks(neither(random, (runs, size), 0.0)[0])
        return found_of(said.means, *t_interval(said), units=size, truth=float(truth))

    return simulate


def answers(random: np.random.Generator, shape: tuple[int, int]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """What is right and what is chosen: that with the chance of ACCURACY, else one of the other two."""
    gold = np.where(random.random(shape) < REALLY_NEITHER, NEITHER, random.integers(0, 2, shape))
    wrong = (gold + random.integers(1, 3, shape)) % 3
    return gold, np.where(random.random(shape) < ACCURACY, gold, wrong)


def of_accuracy(size: int) -> Simulate:
    """An interval without a test, as that of F1."""

    def simulate(_: float, random: np.random.Generator, runs: int) -> Found:
        gold, chosen = answers(random, (runs, size))
        right = Blocks((gold == chosen).astype(np.float64), np.ones(gold.shape))
        low, high = rate_interval(right, seed=0)
        return found_of(right.means, low, high, units=size, truth=ACCURACY)

    return simulate


def of_f1(size: int) -> Simulate:
    # Of a passage: a wrong answer is one fault for each of gold and answer that is a name.
    hits = ACCURACY * (1 - REALLY_NEITHER)
    faults = (1 - ACCURACY) * (REALLY_NEITHER + (1 - REALLY_NEITHER) * 1.5)
    truth = 2 * hits / (2 * hits + faults)

    def simulate(_: float, random: np.random.Generator, runs: int) -> Found:
        gold, chosen = answers(random, (runs, size))
        found, missed = pair_counts(chosen, gold)
        rates = Blocks(2 * found, 2 * found + missed)
        low, high = rate_interval(rates, seed=0)
        return found_of(rates.sums.sum(axis=1) / rates.counts.sum(axis=1), low, high, units=size, truth=truth)

    return simulate


def of_correlations(size: int, apart: int) -> Simulate:
    """Ranks of normal values whose correlation, within what `apart` other figures leave, is the effect."""

    def one(effect: float, random: np.random.Generator) -> Correlation:
        beside = random.normal(size=(size, apart))
        x, other = random.normal(size=(2, size))
        r = 2 * np.sin(np.pi * effect / 6)  # Pearson's r of normal values with this correlation of ranks
        shared = BESIDE * beside.sum(axis=1)
        return rank_correlation(
            x + shared, r * x + np.sqrt(1 - r**2) * other + shared, beside,
            seed=int(random.integers(1 << 31)), resamples=RESAMPLES, permutations=DRAWS, level=0.95, margin=CORRELATION,
        )  # fmt: skip

    def simulate(effect: float, random: np.random.Generator, runs: int) -> Found:
        found = [one(effect, random) for _ in range(runs)]
        names = ("value", "ci_low", "ci_high", "p_value", "equivalence_p")
        numbers = np.array([[getattr(each, name) for name in names] for each in found]).T
        truth = float(numbers[0].mean()) if effect and apart else effect
        return found_of(*numbers, least_p=1 / (DRAWS + 1), units=size, truth=truth)

    return simulate
