"""False and true positive rates by group, their differences between groups, and what changed from one model to another.

A rate is the mean over kinds of template of the share of sentences that are predicted to be positive: of templates that
are negative the false positive rate, of positive ones the true positive rate. Differences are paired by kind.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import SMALLEST_EFFECTS, Scale
from workers.measures.changes import FEWEST_SKEWED, change_measure
from workers.measures.estimated import defined
from workers.statistics.jackknife import Jackknifed
from workers.statistics.rates.rate_contrasts import rate_contrast
from workers.statistics.rates.rate_intervals import rate_interval
from workers.statistics.units import Blocks, Floats
from workers.statistics.verdicts import Effects, judge
from workers.training.error_rates.sentences import Sentences, kinds_of

FALSE_POSITIVE, TRUE_POSITIVE = "false_positive_rate", "true_positive_rate"
RATES = {FALSE_POSITIVE: False, TRUE_POSITIVE: True}
"""Statistic -> the label of its templates."""
UNIT = "kind of template"
MARGIN = SMALLEST_EFFECTS[Scale.RATE]
ByKind = Mapping[str, Mapping[str, Floats]]
"""Statistic -> group -> the rate in each kind of template, [kinds]."""


@dataclass(frozen=True)
class ErrorRates:
    rates: list[Measure]
    differences: list[Measure]
    """Of each pair of groups, the rate of group_a minus that of group_b."""


def rates_by_kind(sentences: Sentences, positive: npt.NDArray[np.bool_]) -> ByKind:
    """Return the rates of the predictions [sentences], in the order of `Sentences.texts`.

    Words are averaged in their template, templates in their kind.
    """
    shares = _shares(sentences, positive)
    return {
        statistic: {group: _of_kinds(sentences, shares[:, at], label) for at, group in enumerate(sentences.words)}
        for statistic, label in RATES.items()
    }


def _shares(sentences: Sentences, positive: npt.NDArray[np.bool_]) -> Floats:
    """Return the share of each group's words with which a template is predicted to be positive, [templates, groups]."""
    by_word = positive.reshape(len(sentences.templates), -1)
    ends = np.cumsum([len(words) for words in sentences.words.values()])[:-1]
    return np.stack([part.mean(axis=1) for part in np.split(by_word, ends, axis=1)], axis=1)


def _of_kinds(sentences: Sentences, shares: Floats, label: bool) -> Floats:
    def mean(kind: str) -> float:
        rows = [one.kind == kind and one.positive == label for one in sentences.templates]
        return float(shares[rows].mean())

    return np.array([mean(kind) for kind in kinds_of(sentences.templates, positive=label)])


def error_rates(by_kind: ByKind, seed: int = 0) -> ErrorRates:
    """Return each group's rates, and the differences of all pairs of groups, which are one family."""
    rates = [_rate(name, group, values, seed) for name, of in by_kind.items() for group, values in of.items()]
    return ErrorRates(rates, _judged(list(_differences(by_kind))))


def _rate(statistic: str, group: str, values: Floats, seed: int) -> Measure:
    low, high = rate_interval(Blocks(values[None], np.ones((1, len(values)))), seed=seed)
    n, mean = len(values), float(values.mean())
    return Measure(statistic, UNIT, n, n, mean, defined(low[0]), defined(high[0]), group_a=group)


def _differences(by_kind: ByKind) -> Iterator[Measure]:
    for statistic, of in by_kind.items():
        for a, b in combinations(of, 2):
            found = rate_contrast(np.stack([of[a], of[b]]), (1, -1), margin=MARGIN)
            yield _contrast(f"{statistic}_difference", found, a, b)


def changes(before: ByKind, after: ByKind) -> list[Measure]:
    """Return by how much each difference between groups is larger after than before; all are one family."""
    return _judged(list(_changes(before, after)))


def _changes(before: ByKind, after: ByKind) -> Iterator[Measure]:
    for statistic in RATES:
        old, new = before[statistic], after[statistic]
        for a, b in combinations(new, 2):
            found = rate_contrast(np.stack([new[a], new[b], old[a], old[b]]), (1, -1, -1, 1), margin=MARGIN)
            yield _contrast(f"{statistic}_difference_change", found, a, b)


def _contrast(statistic: str, found: Jackknifed, a: str, b: str) -> Measure:
    few = f"a verdict needs {FEWEST_SKEWED} kinds of template"
    return change_measure(
        statistic, found, fewest=FEWEST_SKEWED, few=few, unit=UNIT, n=found.n_units, group_a=a, group_b=b
    )


def _judged(measures: Sequence[Measure]) -> list[Measure]:
    found = judge(
        Effects(
            estimate=_numbers([one.value for one in measures]),
            p_value=_numbers([one.p_value for one in measures]),
            equivalence_p=_numbers([one.equivalence_p for one in measures]),
            least_p=np.zeros(len(measures)),
            smallest_effect=np.full(len(measures), MARGIN),
            n_units=np.array([one.n_units for one in measures]),
            family=np.full(len(measures), "differences"),
        ),
        fewest=FEWEST_SKEWED,
    )
    return [
        replace(
            one,
            q_value=defined(found.q_value[at]),
            equivalence_q=defined(found.equivalence_q[at]),
            smallest_effect=MARGIN,
            verdict=str(found.verdict[at]),
        )
        for at, one in enumerate(measures)
    ]


def _numbers(given: Sequence[float | None]) -> Floats:
    return np.array([np.nan if one is None else one for one in given], dtype=np.float64)
