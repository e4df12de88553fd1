"""Changes of figures of whole runs: shares, bias scores, effect sizes of sets of words, P(neither) of genders."""

from collections.abc import Callable, Iterator

import numpy as np
from scipy import stats

from bench.simulations.outcomes import Found, found_of
from bench.simulations.scenarios import RATE, STANDARDISED, Scenario, Simulate, Simulated
from workers.probes.gap.comparison import FEWEST_OF_A_GENDER, change_of_difference
from workers.statistics.effect_changes import effect_change
from workers.statistics.jackknife import Jackknifed
from workers.statistics.rate_changes import UnitSums, rate_change
from workers.statistics.units import Floats

PAIRS = (150, 1500)
FLIPPED = 0.2
"""The share of pairs whose likelier sentence changes."""
TEMPLATES, ANSWERS = 25, 16
KEPT = 0.7
"""The correlation of the associations of a word in two runs."""
BEFORE = 1.0
"""How far the two sets of words lie apart before, in standard deviations within a set."""

PASSAGES = (FEWEST_OF_A_GENDER, 227)
"""Passages of a gender: the fewest with a verdict, and GAP's own validation set."""
SAID = (0.6, 3.0)
"""P(neither) of a passage before: Beta with these parameters."""
MOVED = 0.5
"""The share of passages whose P(neither) rises or falls, by all the way to its nearer bound."""

SMALLER_SET = "conservative: Student's t has the degrees of freedom of the smaller set"


def scenarios() -> Iterator[Simulated]:
    for pairs in PAIRS:
        yield Scenario("pairs", "change of a share", f"{pairs} pairs", of_pairs(pairs), RATE)
    told = f"{TEMPLATES} templates of {ANSWERS} answers"
    yield Scenario("bbq", "change of a bias score", told, of_scores(), RATE)
    for words in (8, 16):
        told = f"{words} and {words} words"
        yield Scenario("weat", "change of an effect size", told, of_words(words), STANDARDISED, SMALLER_SET)
    for size in PASSAGES:
        told = f"{size} + {size} passages"
        yield Scenario("gap", "change of a difference of P(neither)", told, of_genders(size), RATE)


def of_pairs(pairs: int) -> Simulate:
    """One pair in five changes; of these, the shares that change to either side differ by the effect."""

    def one(effect: float, random: np.random.Generator) -> Jackknifed:
        before = random.integers(2, size=pairs).astype(np.float64)
        changes = random.random(pairs)
        up, down = FLIPPED + effect, FLIPPED - effect
        after = np.where(before == 0, changes < up, changes >= down).astype(np.float64)
        return rate_change(UnitSums(before, np.ones(pairs)), UnitSums(after, np.ones(pairs)), margin=RATE)

    return _many(one, pairs)


def of_scores() -> Simulate:
    """Answers of a template are biased, opposite or UNKNOWN, and some change, at rates of the template's own."""

    def one(effect: float, random: np.random.Generator) -> Jackknifed:
        sizes = np.full(TEMPLATES, float(ANSWERS))
        own = np.clip(0.25 + 0.1 * random.normal(size=TEMPLATES), 0.05, 0.45)
        before = random.binomial(ANSWERS, own) - random.binomial(ANSWERS, own)
        shift = effect + 0.05 * random.normal(size=TEMPLATES)
        more, less = (random.binomial(ANSWERS, np.clip(0.1 + sign * shift / 2, 0, 1)) for sign in (1, -1))
        after = UnitSums((before + more - less).astype(np.float64), sizes)
        return rate_change(UnitSums(before.astype(np.float64), sizes), after, largest=2.0, margin=RATE)

    return _many(one, TEMPLATES)


def of_words(words: int) -> Simulate:
    """Associations of two sets of normal values that lie apart, kept in part, with another distance after."""

    def one(effect: float, random: np.random.Generator) -> Jackknifed:
        in_x = np.arange(2 * words) < words
        first, noise = random.normal(size=(2, 2 * words))
        second = KEPT * first + np.sqrt(1 - KEPT**2) * noise
        after = _distance(_effect_size(BEFORE) + effect)
        return effect_change(first + BEFORE * in_x, second + after * in_x, in_x, cuts=1, seed=0, margin=STANDARDISED)

    return _many(one, 2 * words)


def of_genders(size: int) -> Simulate:
    """P(neither) of some passages moves up or down: of one gender more passages up than down, of the other fewer."""
    room = _mean_room()

    def one(effect: float, random: np.random.Generator) -> Jackknifed:
        changes = [_moved(size, shift, random) for shift in (effect / room / 2, -effect / room / 2)]
        return change_of_difference(*changes, margin=RATE)

    return _many(one, 2 * size)


def _moved(size: int, shift: float, random: np.random.Generator) -> Floats:
    """Return the changes of passages, whose mean is `shift` times the mean distance to the nearer bound."""
    before, chance = random.beta(*SAID, size), random.random(size)
    up, down = (MOVED + shift) / 2, (MOVED - shift) / 2
    moves = np.where(chance < up, 1.0, np.where(chance >= 1 - down, -1.0, 0.0))
    return np.asarray(moves * np.minimum(before, 1 - before), dtype=np.float64)


def _mean_room() -> float:
    """Return the mean distance of P(neither) to its nearer bound."""
    return float(stats.beta(*SAID).expect(lambda value: np.minimum(value, 1 - value)))


def _effect_size(distance: float) -> float:
    """Return the effect size of two sets whose means are so far apart: the deviation is that of both together."""
    return float(distance / np.sqrt(1 + distance**2 / 4))


def _distance(effect_size: float) -> float:
    return float(effect_size / np.sqrt(1 - effect_size**2 / 4))


def _many(one: Callable[[float, np.random.Generator], Jackknifed], units: int) -> Simulate:
    def simulate(effect: float, random: np.random.Generator, runs: int) -> Found:
        value, low, high, p_value, equivalence_p = _figures([one(effect, random) for _ in range(runs)])
        return found_of(value, low, high, p_value, equivalence_p, units=units, truth=effect)

    return simulate


def _figures(found: list[Jackknifed]) -> Floats:
    return np.array([(one.value, one.low, one.high, one.p_value, one.equivalence_p) for one in found]).T
