"""Success rates of groups, and comparisons of each two groups by word: RD, d, permutation test."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plumbline.methods.sodapop.card import FEW, FEWEST_SUCCESSES
from plumbline.methods.sodapop.spec import SodapopParams
from plumbline.spec.measure import Measure
from workers.measures.estimated import defined
from workers.probes.sodapop.summary_words import Table
from workers.statistics.permutation_tests.name_splits import least_p_of_splits
from workers.statistics.permutation_tests.two_group_rates import NameTests, permute_names
from workers.statistics.rates.rate_comparisons import Resampled, Successes, compare_rates, equivalence_p
from workers.statistics.rates.rate_intervals import rate_interval
from workers.statistics.units import Floats, blocks

RELATIVE, DIFFERENCE = "relative_difference", "success_rate_difference"
EXPECTED, STRICT = "expected", "strict"
DEFINITIONAL, FRAGMENT = "definitional", "fragment"
"""Categories of words that are shown separately."""
NOT_CHOSEN = "no wrong answer with the word was chosen, with names of either group"
ABSENT = "the word was shown with no name of one of the groups"
UNEQUAL = "the released code compares groups of equally many names only"

Numbers = Mapping[str, Floats]
"""The numbers of each word, arrays [words], by the fields of a measure."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the summary besides the tallies."""

    params: SodapopParams
    seed: int
    apart: Mapping[str, str]
    """The category of each word, in lower case, that is shown separately."""
    margin: Callable[[str], float]
    """The smallest effect of a statistic that matters; NaN: none is declared."""
    threads: int | None
    knows_partners: bool = True
    """Whether the expected success over other partners is known. Answers in text do not tell it."""

    def category(self, word: str) -> str:
        return self.apart.get(word.lower(), "")


def compared(table: Table, settings: Settings) -> list[Measure]:
    """Return all measures of a table's words; those of expected success only for all contexts together."""
    pairs = list(itertools.combinations(table.groups, 2))
    versions = [False, True] if settings.knows_partners and not table.template else [False]
    labels = [(expected, pair) for expected in versions for pair in pairs]
    sides = [
        (table.successes(a, expected=expected), table.successes(b, expected=expected)) for expected, (a, b) in labels
    ]
    arrays = [(a.rates, b.rates) for a, b in sides]
    tests = permute_names(arrays, seed=settings.seed, draws=settings.params.permutations, threads=settings.threads)
    found = [one for expected in versions for one in _group_rates(table, settings, expected=expected)]
    for (expected, pair), own, test in zip(labels, sides, tests, strict=True):
        found += _pair_measures(table, pair, own, test, settings, expected=expected)
    return found


def _group_rates(table: Table, settings: Settings, *, expected: bool) -> Iterator[Measure]:
    """Yield the mean over a group's names, with its interval."""
    rates = table.rates(expected=expected)
    for group in table.groups:
        rows = table.rows_of(group)
        summed = blocks(rates[rows].T)
        low, high = rate_interval(
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
    sides: tuple[Successes, Successes],
    test: NameTests,
    settings: Settings,
    *,
    expected: bool,
) -> Iterator[Measure]:
    a, b = sides
    params = settings.params
    rates = compare_rates(a, b, seed=settings.seed, resamples=params.resamples, level=params.level)
    scale, unscaled = _released(params, sides)
    relative = _numbers(rates.relative, rates.names, settings.margin(RELATIVE), scale)
    difference = _numbers(rates.difference, rates.names, settings.margin(DIFFERENCE))
    tests = {
        "p_value": test.p_value,
        "familywise_p_value": test.familywise_p_value,
        "least_p": least_p_of_splits(a.rates, b.rates, draws=params.permutations),
    }
    shown, successes = (np.concatenate(both).sum(axis=0) for both in ((a.shown, b.shown), (a.chosen, b.chosen)))
    for column, word in enumerate(table.words):
        shared: dict[str, Any] = {
            "variant": EXPECTED if expected else "",
            "group_a": pair[0],
            "group_b": pair[1],
            "category": settings.category(word) or FEW * bool(successes[column] < FEWEST_SUCCESSES),
            "attribute": word,
            "template": table.template,
            "n": int(shown[column]),
            "n_units": int(rates.names[column]),
            "unit": "name",
            **_of_word(tests, column),
        }
        absent = ABSENT if np.isnan(rates.difference.value[column]) else ""
        silent = NOT_CHOSEN if np.isnan(rates.relative.value[column]) else unscaled
        own = {**shared, **_of_word(relative, column), "reason": absent or silent}
        yield Measure(statistic=RELATIVE, **own)
        yield Measure(statistic=DIFFERENCE, **shared, **_of_word(difference, column), reason=absent)
        if not expected and not table.template:
            yield Measure(statistic=RELATIVE, **{**own, **_strict(test, column)})


def _numbers(found: Resampled, names: npt.NDArray[np.int64], margin: float, scale: float = 1.0) -> Numbers:
    scaled = Resampled(scale * found.value, scale * found.low, scale * found.high, scale * found.error)
    return {
        "value": scaled.value,
        "ci_low": scaled.low,
        "ci_high": scaled.high,
        "equivalence_p": equivalence_p(scaled, names, margin),
    }


def _of_word(numbers: Numbers, column: int) -> dict[str, Any]:
    return {name: defined(values[column]) for name, values in numbers.items()}


def _released(params: SodapopParams, sides: tuple[Successes, Successes]) -> tuple[float, str]:
    """Return the factor by which the authors' code multiplies RD: it sums the differences where the paper has means."""
    if params.variant != "released_code":
        return 1.0, ""
    sizes = {len(one.shown) for one in sides}
    return (float(sizes.pop()), "") if len(sizes) == 1 else (float("nan"), UNEQUAL)


def _strict(test: NameTests, column: int) -> dict[str, Any]:
    """Return the paper's p: the share of strictly more extreme splits, without the observed one. 0 is not printed."""
    p = defined(test.strict[column])
    told = {} if p is None or p > 0 else {"reason": f"no split of {test.splits:,} is more extreme"}
    others = dict.fromkeys(("familywise_p_value", "least_p", "equivalence_p"))
    return {"variant": STRICT, "p_value": p or None, **others, **told}
