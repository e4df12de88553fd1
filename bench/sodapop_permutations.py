"""A million permutations of 443 words in 28 pairs of groups: all words at once, against the authors' way.

    PYTHONPATH=platform:. python bench/sodapop_permutations.py

Eight groups of 25 names, as An et al. 2023 compare them. The plain one is a transcription of the published test: one
word at a time, the names shuffled, both means taken again; it is timed on a few permutations and scaled up.
"""

import itertools
import os
import time

import numpy as np

from workers.statistics.permutation_tests.two_group_rates import permute_names

GROUPS, NAMES, WORDS, DRAWS = 8, 25, 443, 1_000_000
PLAIN_DRAWS = 20_000
"""The plain one is timed on these, of one word: it takes as long for each."""


def plain(x: list[float], y: list[float], draws: int) -> float:
    """Share of the shuffles that are strictly more extreme, as printed."""
    generator, names = np.random.default_rng(0), np.array([*x, *y])
    observed, larger = abs(np.average(x) - np.average(y)), 0
    for _ in range(draws):
        shuffled = generator.permutation(names)
        larger += abs(np.average(shuffled[: len(x)]) - np.average(shuffled[len(x) :])) > observed
    return larger / draws


def main() -> None:
    generator = np.random.default_rng(0)
    groups = [generator.binomial(200, 0.2 + 0.01 * place, (NAMES, WORDS)) / 200 for place in range(GROUPS)]
    pairs = list(itertools.combinations(groups, 2))
    started = time.perf_counter()
    p_plain = plain(groups[0][:, 0].tolist(), groups[1][:, 0].tolist(), PLAIN_DRAWS)
    slow = (time.perf_counter() - started) * DRAWS / PLAIN_DRAWS * WORDS * len(pairs)
    started, worked = time.perf_counter(), time.process_time()
    tests = permute_names(pairs, seed=0, draws=DRAWS)
    quick, worked = time.perf_counter() - started, time.process_time() - worked
    assert abs(tests[0].strict[0] - p_plain) < 0.02
    cores = len(os.sched_getaffinity(0))
    print(
        f"{WORDS} words x {len(pairs)} pairs x {DRAWS:,} permutations on {cores} cores, load {os.getloadavg()[0]:.1f}"
    )
    print(f"plain     {slow:12,.0f} s (from {PLAIN_DRAWS:,} of one word)   p = {p_plain:.4f}")
    print(f"together  {quick:12.1f} s ({worked / cores:.1f} s of each core)   p = {tests[0].strict[0]:.4f}")
    print(f"{slow / quick:,.0f} times as fast")


if __name__ == "__main__":
    main()
