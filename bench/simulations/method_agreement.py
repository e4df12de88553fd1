"""The agreement of two methods: Kendall's tau of the differences of words, with a planted tau."""

from collections.abc import Iterator

import numpy as np

from bench.simulations.outcomes import Found, found_of
from bench.simulations.scenarios import CORRELATION, Scenario, Simulate, Simulated
from workers.statistics.method_agreement import rank_agreement

RESAMPLES = 500
WIDE = "conservative: copies of a word in a resample are ties, which widens the interval with few words"


def scenarios() -> Iterator[Simulated]:
    for words in (10, 20, 60):
        told = f"{words} word families, two groups"
        yield Scenario("agreement of methods", "tau of two methods", told, of_words(words), CORRELATION, WIDE)


def of_words(words: int) -> Simulate:
    """Normal differences of words whose correlation gives the true tau: rho = sin(pi tau / 2)."""

    def simulate(effect: float, random: np.random.Generator, runs: int) -> Found:
        rho = np.sin(np.pi * effect / 2)
        drawn = random.normal(size=(runs, 2, words))
        x, y = drawn[:, 0], rho * drawn[:, 0] + np.sqrt(1 - rho**2) * drawn[:, 1]
        zero, units = np.zeros(words), np.arange(words)
        found = [
            rank_agreement(
                np.column_stack([one, zero]),
                np.column_stack([other, zero]),
                units,
                seed=number,
                resamples=RESAMPLES,
                margin=CORRELATION,
            )
            for number, (one, other) in enumerate(zip(x, y, strict=True))
        ]
        columns = ("tau", "low", "high", "p_value", "equivalence_p")
        value, *others = (np.array([getattr(one, name) for one in found]) for name in columns)
        return found_of(value, *others, units=words, truth=effect)

    return simulate
