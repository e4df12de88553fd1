"""Differences by likelihood: on a word over kinds of sentence, over a list of words, and preference shares."""

from collections.abc import Iterator, Sequence

import numpy as np
from scipy import stats

from bench.simulations.outcomes import Found, found_of, found_of_estimates
from bench.simulations.scenarios import LOG, RATE, Scenario, Simulate, Simulated
from plumbline.spec.power.default_spreads import MEASURED, Components
from workers.statistics import estimate_cells
from workers.statistics.crossed_means import CrossedMean, crossed_mean_of_table

ABC_KINDS = (5, 3, 1, 3, 16, 5, 1, 2, *[1] * 18)
"""Frames of each kind of sentence in the ABC plans."""


def scenarios() -> Iterator[Simulated]:
    for reference, parts in MEASURED.items():
        model = reference.removeprefix("bundled:")
        for kinds in (7, 12):
            told = f"{model}, {kinds} kinds"
            yield Scenario("log_probability", "difference on a word", told, of_words(parts, [1] * kinds), LOG)
        told = f"{model}, {len(ABC_KINDS)} kinds of the ABC plans"
        yield Scenario("ilps_chain, set", "difference on a word", told, of_words(parts, ABC_KINDS), LOG)
        for words, kinds in ((32, 12), (7, 7)):
            told = f"{model}, {words} words, {kinds} kinds"
            yield Scenario("association", "difference over a list", told, of_lists(parts, words, kinds), LOG)
    for words, kinds in ((96, 12), (7, 7)):
        told = f"{words} families, {kinds} kinds"
        yield Scenario("log_probability", "preference share", told, of_shares(words, kinds, 0.5), RATE)


def of_words(parts: Components, kinds: Sequence[int]) -> Simulate:
    """One word in each simulation: `kinds` has the number of frames of each kind of sentence."""
    numbers = np.repeat(np.arange(len(kinds)), kinds)

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        spread = np.hypot(parts.kind, parts.word_kind)
        values = effect + spread * random.normal(size=(size, len(kinds)))[:, numbers]
        values += parts.frame * random.normal(size=values.shape)
        one = estimate_cells(values, numbers, seed=0, family=np.arange(size), margin=LOG)
        return found_of_estimates(one, units=len(kinds), truth=effect)

    return simulate


def of_lists(parts: Components, words: int, kinds: int) -> Simulate:
    """One list of words in each simulation, all in the same kinds of sentence."""

    def one(effect: float, random: np.random.Generator) -> CrossedMean:
        table = effect + parts.word * random.normal(size=(words, 1)) + parts.kind * random.normal(size=(1, kinds))
        table += np.hypot(parts.word_kind, parts.frame) * random.normal(size=(words, kinds))
        return crossed_mean_of_table(table, margin=LOG)

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        return _crossed([one(effect, random) for _ in range(size)], 0.0, min(words, kinds), effect)

    return simulate


def of_shares(words: int, kinds: int, spread: float) -> Simulate:
    """A preference share: whether a word leans to the first target in a kind; the effect is added to one half."""

    def one(effect: float, random: np.random.Generator) -> CrossedMean:
        latent = spread * (random.normal(size=(words, 1)) + random.normal(size=(1, kinds)))
        # The threshold that gives a share of 1/2 + effect over words and kinds.
        threshold = np.sqrt(1 + 2 * spread**2) * stats.norm.isf(0.5 + effect)
        table = (latent + random.normal(size=(words, kinds)) > threshold).astype(float)
        return crossed_mean_of_table(table, null=0.5, margin=RATE)

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        return _crossed([one(effect, random) for _ in range(size)], 0.5, min(words, kinds), effect)

    return simulate


def _crossed(means: list[CrossedMean], null: float, units: int, effect: float) -> Found:
    numbers = [
        (one.value - null, one.ci_low - null, one.ci_high - null, one.p_value, one.equivalence_p) for one in means
    ]
    return found_of(*np.array(numbers).T, units=units, truth=effect)
