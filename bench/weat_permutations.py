"""10,000 permutations of a WEAT test: vectorised, against a plain transcription of the published algorithm.

    PYTHONPATH=platform:. python bench/weat_permutations.py

Both permute the targets of two sets of 32 words with 25 attributes each (WEAT 3, the largest). The plain one follows
Caliskan et al. 2017: for each permutation, s(w, A, B) of each word from its cosines, then the statistic.
"""

import random
import time

import numpy as np

from workers.statistics import permute_sets

WORDS, ATTRIBUTES, DRAWS = 32, 25, 10_000
PLAIN_DRAWS = 200
"""The plain one is timed on fewer and scaled up: it takes as long for each."""


def plain(cosines: list[list[float]], draws: int) -> float:
    """One-sided p over random splits of the rows, as printed."""

    def association(row: list[float]) -> float:
        return sum(row[:ATTRIBUTES]) / ATTRIBUTES - sum(row[ATTRIBUTES:]) / ATTRIBUTES

    def statistic(rows: list[list[float]]) -> float:
        return sum(map(association, rows[:WORDS])) / WORDS - sum(map(association, rows[WORDS:])) / WORDS

    observed, generator = statistic(cosines), random.Random(0)  # noqa: S311 -- no secret
    return sum(statistic(generator.sample(cosines, len(cosines))) > observed for _ in range(draws)) / draws


def main() -> None:
    cosines = np.random.default_rng(0).normal(0.3, 0.1, (2 * WORDS, 2 * ATTRIBUTES))
    started = time.perf_counter()
    p_plain = plain(cosines.tolist(), PLAIN_DRAWS)
    slow = (time.perf_counter() - started) * DRAWS / PLAIN_DRAWS
    started = time.perf_counter()
    s = cosines[:, :ATTRIBUTES].mean(1) - cosines[:, ATTRIBUTES:].mean(1)
    test = permute_sets(s[:WORDS], s[WORDS:], seed=0, draws=DRAWS)
    quick = time.perf_counter() - started
    assert abs(test.one_sided - p_plain) < 0.15
    print(f"plain       {slow:8.3f} s for {DRAWS:,} permutations (from {PLAIN_DRAWS})   p = {p_plain:.3f}")
    print(f"vectorised  {quick:8.3f} s                                       p = {test.one_sided:.3f}")
    print(f"{slow / quick:.0f} times as fast")


if __name__ == "__main__":
    main()
