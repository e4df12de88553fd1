"""Comparison of two sets of values by association tests: effect size, interval, permutation test, random cuts."""

from dataclasses import dataclass

import numpy as np

from workers.statistics.effect_sizes import effect_interval, effect_size
from workers.statistics.permutation_tests.set_permutations import SetTest, permute_cuts, permute_sets
from workers.statistics.units import Floats, Positions

FEWEST_RESAMPLES = 100
"""Minimum number of resamples of each cut."""


@dataclass(frozen=True)
class Comparison:
    """A comparison; NaN is undefined. `one_sided` is the share of strictly greater splits.

    `note` says which splits p comes from.
    """

    effect_size: float
    difference: float
    ci_low: float
    ci_high: float
    p_value: float
    one_sided: float
    splits: int
    note: str
    of_cuts: tuple[float, ...] = ()
    """The effect size of each cut; empty if the sets were not cut."""

    @property
    def two_sided_note(self) -> str:
        return f"{self.note}; p is twice the mean of theirs" if self.of_cuts else self.note

    @property
    def one_sided_note(self) -> str:
        # Only twice the mean is valid under any dependence. The share describes what the paper's one cut gives.
        return f"{self.note}; p is the mean of theirs, which is no test" if self.of_cuts else self.note


def compare(x: Floats, y: Floats, *, seed: int, draws: int, resamples: int, level: float) -> Comparison:
    """Compare x [n] with y [m] without cuts. Raises ValueError for an empty set."""
    test = permute_sets(x, y, seed=seed, draws=draws)
    interval = effect_interval(x, y, seed=seed, resamples=resamples, level=level)
    return _comparison(x, y, test, interval)


def _comparison(x: Floats, y: Floats, test: SetTest, interval: tuple[float, float]) -> Comparison:
    value, difference = float(effect_size(x, y)), float(x.mean() - y.mean())
    note = f"p from {_of(test)}"
    return Comparison(value, difference, *interval, test.p_value, test.one_sided, test.splits, note)


def _of(test: SetTest) -> str:
    return f"all {test.splits:,} splits" if test.exact else f"{test.splits:,} random splits"


def compare_cut(x: Floats, y: Floats, *, cuts: int, seed: int, draws: int, resamples: int, level: float) -> Comparison:
    """Compare x [n] with y [m] after cutting the larger set at random to the size of the smaller one, `cuts` times.

    Kurita et al. 2019, section 3.1, cut once. Effect size, difference, interval limits and the one-sided share are
    means over the cuts. Each cut has all splits, or `draws` random ones, and a share of the resamples with its own
    seed. The two-sided p is twice the mean p of the cuts (at most 1), which is valid under any dependence between cuts:
    Vovk and Wang 2020, "Combining p-values via averaging", Biometrika 107. Sets of equal size are compared once,
    without cuts.
    """
    if len(x) == len(y):
        return compare(x, y, seed=seed, draws=draws, resamples=resamples, level=level)
    generator = _generator_of_cuts(len(x), len(y), seed)
    size, share = min(len(x), len(y)), max(FEWEST_RESAMPLES, resamples // cuts)
    cut_x, cut_y = (one[places] for one, places in zip((x, y), _places(len(x), len(y), cuts, generator), strict=True))
    tests = permute_cuts(cut_x, cut_y, seed=seed, draws=draws)
    seeds = generator.integers(2**32, size=cuts).tolist()
    found = [
        _comparison(one, other, test, effect_interval(one, other, seed=own, resamples=share, level=level))
        for one, other, test, own in zip(cut_x, cut_y, tests, seeds, strict=True)
    ]

    def mean(name: str) -> float:
        return float(np.mean([getattr(one, name) for one in found]))

    return Comparison(
        mean("effect_size"),
        mean("difference"),
        mean("ci_low"),
        mean("ci_high"),
        min(1.0, 2 * mean("p_value")),
        mean("one_sided"),
        found[0].splits,
        f"{cuts} random cuts of the larger set to {size} words, each with {_of(tests[0])}",
        tuple(one.effect_size for one in found),
    )


def cut_places(n: int, m: int, cuts: int, seed: int) -> tuple[Positions, Positions]:
    """Return the places that each cut of sets of n and of m values keeps, [cuts, size] each, as `compare_cut` does."""
    return _places(n, m, cuts, _generator_of_cuts(n, m, seed))


def _generator_of_cuts(n: int, m: int, seed: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(4, n, m)))


def _places(n: int, m: int, cuts: int, generator: np.random.Generator) -> tuple[Positions, Positions]:
    of_x, of_y = (np.stack([_cut(one, min(n, m), generator) for _ in range(cuts)]) for one in (n, m))
    return of_x, of_y


def _cut(values: int, size: int, generator: np.random.Generator) -> Positions:
    return generator.choice(values, size, replace=False) if values > size else np.arange(values)
