"""Costs of a mitigation: the change of the accuracy on questions, a few of which share a context."""

from collections.abc import Iterator

import numpy as np

from bench.simulations.outcomes import Found, found_of
from bench.simulations.scenarios import COST, Scenario, Simulate, Simulated
from workers.probes.question_accuracy.comparison import FEWEST_CHANGED
from workers.statistics.permutation_tests.integer_flips import flipped_sums_p
from workers.statistics.ratio_of_sums import ratio_of_sums

SHARED = 0.3
"""How often the questions about one context change to the same side, as one draw decides for all of them."""


def scenarios() -> Iterator[Simulated]:
    for contexts, changed in ((100, 0.3), (240, 0.1), (240, 0.3), (800, 0.04)):
        told = f"{contexts} contexts of 1 to 3 questions, {changed:.0%} of the answers changed"
        yield Scenario("question_accuracy", "change of accuracy", told, of_questions(contexts, changed), COST)


def of_questions(contexts: int, changed: float) -> Simulate:
    """Answers become right or wrong; the effect is the difference of both shares."""

    def one(effect: float, random: np.random.Generator) -> tuple[float, ...]:
        sizes = random.choice([1, 2, 3], size=contexts, p=[0.7, 0.2, 0.1])
        context = np.repeat(np.arange(contexts), sizes)
        draws = np.where(
            random.random(len(context)) < SHARED, random.random(contexts)[context], random.random(len(context))
        )
        better, worse = (changed + effect) / 2, (changed - effect) / 2
        change = np.where(draws < better, 1.0, np.where(draws > 1 - worse, -1.0, 0.0))
        sums = np.bincount(context, weights=change).astype(np.float64)
        found = ratio_of_sums(sums, sizes.astype(np.float64), margin=COST)
        tested = np.count_nonzero(change) >= FEWEST_CHANGED
        p_value, _ = flipped_sums_p(sums)
        p_value, within = (p_value, found.equivalence_p) if tested else (np.nan, np.nan)
        return found.value, found.low, found.high, p_value, within

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        value, low, high, p_value, within = np.array([one(effect, random) for _ in range(size)]).T
        return found_of(value, low, high, p_value, within, units=contexts, truth=effect)

    return simulate
