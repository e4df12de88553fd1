"""Correlations through first names: over all names, within their groups, and of direct with indirect scores."""

from collections.abc import Callable, Iterator

import numpy as np

from bench.simulations.measured import BETWEEN_GROUPS, BETWEEN_TARGETS, CAUSAL, MASKED
from bench.simulations.outcomes import Found, batches, found_of, joined
from bench.simulations.scenarios import CORRELATION, Scenario, Simulate, Simulated
from workers.statistics.correlations.bridge_correlations import correlations, indicators, within_margin_p
from workers.statistics.correlations.clustered_correlations import Correlation, clustered_correlation
from workers.statistics.correlations.correlation_changes import correlation_changes
from workers.statistics.name_groups import draw_names
from workers.statistics.permutation_tests.within_group_correlations import permute_names
from workers.statistics.units import Floats, Positions

STARTER = (5, 16, 26, 28, 33, 33, 34, 34, 36, 36, 38, 38, 41, 43, 44, 45, 46, 48, 53, 53)
"""Names of each group of the starter's bridge."""
FEATURES = 200
"""Features of each simulated target: given the target's scores, their correlations are independent."""
RESAMPLES, PERMUTATIONS = 300, 199
"""Fewer than a plan has, which changes no error rate: p counts the order as it is among the permutations."""

NESTED = "conservative: groups and then their names are drawn, which counts twice what names add"
WIDENED = "conservative: percentiles are widened for few targets"


def scenarios() -> Iterator[Simulated]:
    told = f"{sum(STARTER)} names in {len(STARTER)} groups"
    starter = np.repeat(np.arange(len(STARTER)), STARTER)
    simulate = over_all(starter, BETWEEN_GROUPS[MASKED])
    yield Scenario("indirect", "r over all names", f"{told} of the starter", simulate, CORRELATION, NESTED)
    simulate = within_groups(starter, BETWEEN_GROUPS[MASKED])
    yield Scenario("indirect", "within-group r", f"{told} of the starter", simulate, CORRELATION)
    for groups, names in ((8, 15), (2, 60)):
        told, numbers = f"{groups * names} names in {groups} groups", np.repeat(np.arange(groups), names)
        simulate = within_groups(numbers, BETWEEN_GROUPS[CAUSAL])
        yield Scenario("indirect", "within-group r", told, simulate, CORRELATION)
    for names in (50, 779):
        simulate = within_groups(np.zeros(names, dtype=np.intp), 0.0)
        yield Scenario("indirect", "r, names without groups", f"{names} names", simulate, CORRELATION)
    simulate = of_changes(starter, BETWEEN_GROUPS[MASKED])
    yield Scenario("indirect", "change of r between runs", f"{sum(STARTER)} names", simulate, CORRELATION, NESTED)
    for targets, words in ((7, 1), (99, 6)):
        told = f"{targets} targets, {words} word{'s' * (words > 1)}"
        simulate = of_agreement(targets, words)
        exempt = WIDENED if targets == 7 else ""
        yield Scenario("indirect", "direct and indirect scores", told, simulate, CORRELATION, exempt)


def scores(
    random: np.random.Generator, groups: Positions, share: float, effect: float, features: int
) -> tuple[Floats, Floats]:
    """Of one target and of features that correlate with it by `effect`, between groups and within them alike.

    `share` is that of their variance which lies between groups.
    """

    def nested(columns: int) -> Floats:
        between = random.normal(size=(groups.max() + 1, columns))[groups]
        return np.asarray(np.sqrt(share) * between + np.sqrt(1 - share) * random.normal(size=(len(groups), columns)))

    x = nested(1)
    return x, effect * x + np.sqrt(1 - effect**2) * nested(features)


def over_all(groups: Positions, share: float) -> Simulate:
    """An interval without a test. Of fewer than seven groups these are taken as they are, and have no effect here."""
    drawn_from = groups if groups.max() + 1 >= 7 else np.zeros(len(groups), dtype=np.intp)

    def batch(effect: float, random: np.random.Generator, size: int) -> Found:
        x, y = scores(random, drawn_from, share, effect, size)
        drawn = draw_names(groups, seed=int(random.integers(1 << 31)), resamples=RESAMPLES)
        one = correlations(x, y, drawn)
        return found_of(one.value[0], one.low[0], one.high[0], units=drawn.units, truth=effect)

    return _batched(batch)


def within_groups(groups: Positions, share: float) -> Simulate:
    """The correlation of scores centred on their group, with its test by permutations within groups."""

    def batch(effect: float, random: np.random.Generator, size: int) -> Found:
        x, y = scores(random, groups, share, effect, size)
        seed = int(random.integers(1 << 31))
        drawn = draw_names(groups, seed=seed, resamples=RESAMPLES, whole_groups=True)
        one = correlations(x, y, drawn, indicators(groups))
        test = permute_names(x, y, groups, seed=seed, draws=PERMUTATIONS)
        within = within_margin_p(one, CORRELATION, drawn.units)
        return found_of(
            one.value[0], one.low[0], one.high[0], test.p_value[0], within[0],
            least_p=test.least_p, units=drawn.units, truth=effect,
        )  # fmt: skip

    return _batched(batch)


def of_changes(groups: Positions, share: float) -> Simulate:
    """The later run's r minus that of the earlier one; half of the variance of a score is the same in both."""

    def batch(effect: float, random: np.random.Generator, size: int) -> Found:
        kept = scores(random, groups, share, 0.0, size)
        runs = []
        for r in (0.0, effect):
            fresh = scores(random, groups, share, 2 * r, size)
            runs.append(tuple((old + new) / np.sqrt(2) for old, new in zip(kept, fresh, strict=True)))
        drawn = draw_names(groups, seed=int(random.integers(1 << 31)), resamples=RESAMPLES)
        one = correlation_changes(runs[0], runs[1], drawn, CORRELATION)
        value, low, high, p_value, within = (
            getattr(one, name)[0] for name in ("value", "low", "high", "p_value", "equivalence_p")
        )
        return found_of(value, low, high, p_value, within, units=drawn.units, truth=effect)

    return _batched(batch)


def _batched(batch: Callable[[float, np.random.Generator, int], Found]) -> Simulate:
    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        return joined([batch(effect, random, some) for some in batches(size, FEATURES)])

    return simulate


def of_agreement(targets: int, words: int) -> Simulate:
    """Direct with indirect scores over targets; the words of a target are alike."""

    def side(random: np.random.Generator, share: float) -> Floats:
        shared, own = random.normal(size=(targets, 1)), random.normal(size=(targets, words))
        return np.asarray((np.sqrt(share) * shared + np.sqrt(1 - share) * own) if words > 1 else shared)

    def one(effect: float, random: np.random.Generator) -> Correlation:
        x, other = (side(random, share) for share in BETWEEN_TARGETS)
        y = effect * x + np.sqrt(1 - effect**2) * other
        seed = int(random.integers(1 << 31))
        return clustered_correlation(x, y, seed=seed, resamples=RESAMPLES, level=0.95, margin=CORRELATION)

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        found = [one(effect, random) for _ in range(size)]
        numbers = [(each.value, each.low, each.high, each.p_value, each.equivalence_p) for each in found]
        return found_of(*np.array(numbers).T, units=targets, truth=effect)

    return simulate
