"""Success rates of groups, and each two groups compared word by word: RD, d, permutation test."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline.spec.measure import Measure
from plumbline.spec.sodapop import SodapopParams
from workers.probes.estimated import defined
from workers.probes.sodapop.summary_words import Table
from workers.statistics.intervals import bootstrap_interval
from workers.statistics.name_permutations import NameTests, permute_names
from workers.statistics.success_rates import RateComparison, compare_rates
from workers.statistics.units import Floats, blocks

EXPECTED, STRICT = "expected", "strict"
DEFINITIONAL, FRAGMENT = "definitional", "fragment"
"""Categories of words that are shown apart."""
NOT_CHOSEN = "no wrong answer with the word was chosen, with names of either group"
ABSENT = "the word was shown with no name of one of the groups"
UNEQUAL = "the released code compares groups of equally many names only"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the summary is told besides the tallies."""

    params: SodapopParams
    seed: int
    apart: Mapping[str, str]
    """The category of each word, in lower case, that is shown apart."""
    threads: int | None

    def category(self, word: str) -> str:
        return self.apart.get(word.lower(), "")


def compared(table: Table, settings: Settings) -> list[Measure]:
    """All measures of a table's words; those of expected success for all contexts together only."""
    pairs = list(itertools.combinations(table.groups, 2))
    versions = [False, True] if not table.template else [False]
    rates = {expected: table.rates(expected=expected) for expected in versions}
    arrays = [
        (values[table.rows_of(a)], values[table.rows_of(b)])
        for values in rates.values()
        for a, b in pairs
        if len(pairs)
    ]
    tests = permute_names(arrays, seed=settings.seed, draws=settings.params.permutations, threads=settings.threads)
    found = [one for expected in versions for one in _group_rates(table, rates[expected], settings, expected=expected)]
    labels = [(expected, pair) for expected in versions for pair in pairs]
    for (expected, pair), (x, y), test in zip(labels, arrays, tests, strict=True):
        found += _pair_measures(table, pair, (x, y), test, settings, expected=expected)
    return found


def _group_rates(table: Table, rates: Floats, settings: Settings, *, expected: bool) -> Iterator[Measure]:
    """The mean over a group's names, with its interval."""
    for group in table.groups:
        rows = table.rows_of(group)
        summed = blocks(rates[rows].T)
        low, high = bootstrap_interval(
            summed, seed=settings.seed, resamples=settings.params.resamples, level=settings.params.level
        )
        shown = table.shown[rows].sum(axis=0)
        for column, word in enumerate(table.words):
            yield Measure(
                statistic="success_rate",
                variant=EXPECTED if expected else "",
                group_a=group,
                category=settings.category(word),
                attribute=word,
                template=table.template,
                value=defined(summed.means[column]),
                ci_low=defined(low[column]),
                ci_high=defined(high[column]),
                n=int(shown[column]),
                n_units=int(summed.n_units[column]),
                unit="name",
                reason="" if summed.n_units[column] else ABSENT,
            )


def _pair_measures(
    table: Table,
    pair: tuple[str, str],
    arrays: tuple[Floats, Floats],
    test: NameTests,
    settings: Settings,
    *,
    expected: bool,
) -> Iterator[Measure]:
    params = settings.params
    numbers = compare_rates(*arrays, seed=settings.seed, resamples=params.resamples, level=params.level)
    scale, unscaled = _released(params, arrays)
    shown = sum(table.shown[table.rows_of(group)].sum(axis=0) for group in pair)
    for column, word in enumerate(table.words):
        shared: dict[str, Any] = {
            "variant": EXPECTED if expected else "",
            "group_a": pair[0],
            "group_b": pair[1],
            "category": settings.category(word),
            "attribute": word,
            "template": table.template,
            "p_value": defined(test.p_value[column]),
            "familywise_p_value": defined(test.familywise_p_value[column]),
            "n": int(np.asarray(shown)[column]),
            "n_units": int(numbers.names[column]),
            "unit": "name",
        }
        relative = {**shared, **_relative(numbers, column, scale, unscaled)}
        yield Measure(statistic="relative_difference", **relative)
        yield Measure(statistic="success_rate_difference", **shared, **_difference(numbers, column))
        if not expected and not table.template:
            yield Measure(statistic="relative_difference", **{**relative, **_strict(test, column)})


def _released(params: SodapopParams, arrays: tuple[Floats, Floats]) -> tuple[float, str]:
    """By how much the authors' code has RD larger: it sums the differences where the paper has means."""
    if params.variant != "released_code":
        return 1.0, ""
    sizes = {len(rates) for rates in arrays}
    return (float(sizes.pop()), "") if len(sizes) == 1 else (float("nan"), UNEQUAL)


def _relative(numbers: RateComparison, column: int, scale: float, unscaled: str) -> dict[str, Any]:
    absent = np.isnan(numbers.difference[column])
    undefined = ABSENT if absent else NOT_CHOSEN if np.isnan(numbers.relative[column]) else unscaled
    return {
        "value": defined(scale * numbers.relative[column]),
        "ci_low": defined(scale * numbers.relative_low[column]),
        "ci_high": defined(scale * numbers.relative_high[column]),
        "reason": undefined,
    }


def _difference(numbers: RateComparison, column: int) -> dict[str, Any]:
    return {
        "value": defined(numbers.difference[column]),
        "ci_low": defined(numbers.difference_low[column]),
        "ci_high": defined(numbers.difference_high[column]),
        "reason": ABSENT if np.isnan(numbers.difference[column]) else "",
    }


def _strict(test: NameTests, column: int) -> dict[str, Any]:
    """The paper's p: splits that are strictly more extreme, without the observed one. 0 is not printed."""
    p = defined(test.strict[column])
    told = {} if p is None or p > 0 else {"reason": f"no split of {test.splits:,} is more extreme"}
    return {"variant": STRICT, "p_value": p or None, "familywise_p_value": None, **told}
