"""Two sets of words compared, on word vectors, contexts or scores: effect sizes with their permutation test."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from bench.simulations.outcomes import Found, found_of
from bench.simulations.scenarios import STANDARDISED, Scenario, Simulate, Simulated
from workers.probes.ceat.effects import group_effect, set_effects, t_test
from workers.probes.ceat.summary import against_others
from workers.statistics import combine, effect_interval, effect_size
from workers.statistics.permutation_tests.set_permutations import permute_cuts
from workers.statistics.random_effects import Combined
from workers.statistics.units import Floats

SPLITS = 999
"""Random splits where there are more than can be enumerated: p counts the observed one among them."""
RESAMPLES = 500
SAMPLES, DRAWS = 1000, 100
"""Of CEAT: sentences drawn of each word, and draws of two sets."""
OTHERS = 2
POLES = "conservative: groups share the sentences of the poles, which cancel in part"
ALIKE = "conservative: draws share their words, so the error of a draw, which is that of other words, is too large"


def scenarios() -> Iterator[Simulated]:
    for size in (6, 8, 25):
        told = f"{size} + {size} words"
        yield Scenario("weat, log_probability", "effect size of two sets", told, of_sets(size), STANDARDISED)
    for sentences in (30, 100):
        told = f"{sentences} sentences a word"
        yield Scenario("ceat", "effect size of a group", told, of_sentences(sentences), STANDARDISED)
    told = f"{OTHERS} other groups, 30 sentences a word"
    yield Scenario("ceat", "group against others", told, of_others(30), STANDARDISED, POLES)
    told = f"8 + 8 words, {DRAWS} draws"
    yield Scenario("ceat", "combined effect size", told, of_draws(8), STANDARDISED, ALIKE)


def shift_of(d: float) -> float:
    """The difference of the means of two normal sets whose effect size, by the deviation of both together, is d."""
    return float(d / np.sqrt(1 - d**2 / 4))


def of_sets(size: int) -> Simulate:
    def simulate(effect: float, random: np.random.Generator, runs: int) -> Found:
        x, y = shift_of(effect) + random.normal(size=(runs, size)), random.normal(size=(runs, size))
        tests = permute_cuts(x, y, seed=0, draws=SPLITS)
        interval = partial(effect_interval, resamples=RESAMPLES, level=0.95)
        limits = [interval(*sets, seed=number) for number, sets in enumerate(zip(x, y, strict=True))]
        low, high = np.array(limits).T
        p_value = np.array([test.p_value for test in tests])
        return found_of(effect_size(x, y), low, high, p_value, units=2 * size, truth=effect)

    return simulate


def of_sentences(sentences: int) -> Simulate:
    """One group and pair: cosines depend on the sentence of the group, of the pole, and on both."""

    def one(effect: float, random: np.random.Generator) -> tuple[float, float, float, float]:
        drawn = list(random.integers(sentences, size=(3, SAMPLES)))
        of_group, of_right, of_left = random.normal(size=(3, sentences))
        cosines = random.normal(size=(2, sentences, sentences))
        right = of_right[drawn[1]] + of_group[drawn[0]] + cosines[0][drawn[0], drawn[1]] + effect * np.sqrt(3)
        left = of_left[drawn[2]] + of_group[drawn[0]] + cosines[1][drawn[0], drawn[2]]
        value, variance = group_effect(right, left, drawn)
        return (value, *t_test(value, variance, sentences, 0.95))

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        numbers = np.array([one(shift_of(effect), random) for _ in range(size)]).T
        return found_of(*numbers, units=sentences, truth=effect)

    return simulate


def of_others(sentences: int) -> Simulate:
    """A group and others, whose cosines with the same sentences of the poles are compared."""

    def one(effect: float, random: np.random.Generator) -> tuple[float, float, float, float]:
        poles, found = random.normal(size=(2, sentences)), []
        for own in (effect, *[0.0] * OTHERS):
            drawn = list(random.integers(sentences, size=(3, SAMPLES)))
            of_group, cosines = random.normal(size=sentences), random.normal(size=(2, sentences, sentences))
            sides = (
                poles[at][drawn[at + 1]] + of_group[drawn[0]] + cosines[at][drawn[0], drawn[at + 1]] for at in (0, 1)
            )
            right, left = sides
            found.append(group_effect(right + own * np.sqrt(3), left, drawn))
        value, variance = np.array(found).T
        difference, error = against_others(value, variance, 0) or (np.nan, np.nan)
        return (difference, *t_test(difference, error, sentences, 0.95))

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        numbers = np.array([one(shift_of(effect), random) for _ in range(size)]).T
        return found_of(*numbers, units=sentences, truth=effect)

    return simulate


def of_draws(words: int) -> Simulate:
    """Two sets: the same words in each draw, in other sentences."""

    def one(effect: float, random: np.random.Generator) -> Combined:
        x = np.repeat([shift_of(effect), 0.0], words)[:, None]
        cosines = np.concatenate([x + noise(random, words), noise(random, words)], axis=2)
        return combine(*set_effects(cosines, words, words, released=False))

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        found = [one(effect, random) for _ in range(size)]
        value, error, p_value = np.array([(each.value, each.standard_error, each.p_value) for each in found]).T
        truth = float(value.mean()) if effect else 0.0
        return found_of(value, value - 1.96 * error, value + 1.96 * error, p_value, units=DRAWS, truth=truth)

    return simulate


def noise(random: np.random.Generator, words: int) -> Floats:
    """Of cosines of all targets with one set, [draws, targets, attributes]: associations have the deviation 1."""
    return np.asarray(random.normal(size=(DRAWS, 2 * words, words)) * np.sqrt(words / 2))
