"""Differences between groups with other properties of names held fixed: subword count and frequency."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from plumbline.spec.content import Name
from plumbline.spec.measure import Measure, join_reasons
from plumbline.spec.verdicts import Verdict
from workers.measures.estimated import NUMBERS, defined
from workers.probes.sodapop.summary_pairs import DIFFERENCE, RELATIVE, Settings
from workers.probes.sodapop.summary_words import Table
from workers.statistics import estimate_cells
from workers.statistics.confounders import ENTANGLED, adjusted_difference, matched_pairs
from workers.statistics.units import Floats, Positions

MATCHED, ADJUSTED = "matched", "adjusted"
UNKNOWN = "neither subword counts nor frequencies are known of all these names"
NO_LENGTHS = "the lengths of names were not checked, because the model's subwords are not known"
NOTHING_ALIKE = "no name of one group is like one of the other in"
WITHOUT_WORD = "the word was not shown with both names of a pair, of"
DRAWS = 9999
"""Number of sign flips and of shuffled residuals."""


@dataclass(frozen=True, slots=True)
class Traits:
    """Properties of all names of a pair of groups; arrays [names], None if unknown."""

    subwords: Floats | None
    log_frequency: Floats | None

    @property
    def known(self) -> list[Floats]:
        return [one for one in (self.subwords, self.log_frequency) if one is not None]

    @property
    def named(self) -> str:
        kinds = {"subword count": self.subwords, "log frequency": self.log_frequency}
        return " and ".join(kind for kind, values in kinds.items() if values is not None)

    def told(self, found: str) -> str:
        """Return what was done, and that the length of names was not checked if it is not known."""
        return join_reasons(found, NO_LENGTHS * (self.subwords is None))


def confounds(table: Table, subwords: dict[str, int] | None, settings: Settings) -> Iterator[Measure]:
    """Yield d of each two groups and word with matched names, and with the properties regressed out (ours)."""
    rates = table.rates()
    for pair in itertools.combinations(table.groups, 2):
        rows = tuple(table.rows_of(group) for group in pair)
        traits = traits_of([table.names[row] for row in np.concatenate(rows)], subwords)
        shown = np.concatenate([table.shown[row] for row in rows]).sum(axis=0)
        for condition, found in (
            (MATCHED, _matched(rates, rows, traits, settings)),
            (ADJUSTED, _adjusted(rates, rows, traits, settings)),
        ):
            shared = {"statistic": DIFFERENCE, "group_a": pair[0], "group_b": pair[1]}
            yield from _measures(table, found, shown, {**shared, "condition": condition}, settings)


def traits_of(names: Sequence[Name], subwords: dict[str, int] | None) -> Traits:
    """Return the properties, frequencies as natural logarithms; 0 counts as half of the smallest other one."""
    counts = None if subwords is None else np.array([subwords[one.name] for one in names], dtype=np.float64)
    given = [one.frequency for one in names]
    frequencies = np.array([np.nan if one is None else one for one in given], dtype=np.float64)
    if np.isnan(frequencies).any() or not (frequencies > 0).any():
        return Traits(counts, None)
    least = frequencies[frequencies > 0].min() / 2
    return Traits(counts, np.log(np.maximum(frequencies, least)))


Found = tuple[dict[str, npt.NDArray[Any]], Sequence[str]]
"""The numbers of each word by the fields of a measure, and a note on each. A pair without numbers has one note."""


def _matched(rates: Floats, rows: tuple[Positions, ...], traits: Traits, settings: Settings) -> Found:
    if not traits.known:
        return {}, [UNKNOWN]
    size = len(rows[0])
    exact, near = traits.subwords, traits.log_frequency
    counts = np.zeros(len(rows[0]) + len(rows[1])) if exact is None else exact
    a, b = matched_pairs((counts[:size], counts[size:]), None if near is None else (near[:size], near[size:]))
    if not len(a):
        return {}, [traits.told(f"{NOTHING_ALIKE} {traits.named}")]
    params = settings.params
    estimates = estimate_cells(
        (rates[rows[0][a]] - rates[rows[1][b]]).T,
        seed=settings.seed,
        draws=DRAWS,
        level=params.level,
        margin=settings.margin(DIFFERENCE),
    )
    numbers = {name: getattr(estimates, name) for name in (*NUMBERS, "n_units")}
    pairs = f"{len(a)} pair{'s' * (len(a) > 1)} of names alike in {traits.named}"
    return numbers, [traits.told(pairs if units else f"{WITHOUT_WORD} {pairs}") for units in estimates.n_units]


def _adjusted(rates: Floats, rows: tuple[Positions, ...], traits: Traits, settings: Settings) -> Found:
    if not traits.known:
        return {}, [UNKNOWN]
    x, y = (rates[row] for row in rows)
    found = adjusted_difference(
        x,
        y,
        np.column_stack(traits.known),
        seed=settings.seed,
        draws=DRAWS,
        level=settings.params.level,
        margin=settings.margin(DIFFERENCE),
    )
    if all(reason == ENTANGLED for reason in found.reason):
        return {}, [traits.told(f"{ENTANGLED} {traits.named}")]
    numbers = {
        "value": found.value,
        "ci_low": found.low,
        "ci_high": found.high,
        "p_value": found.p_value,
        "equivalence_p": found.equivalence_p,
        "least_p": found.least_p,
    }
    notes = [f"{reason} {traits.named}" if reason else f"{traits.named} regressed out" for reason in found.reason]
    return {**numbers, "n_units": found.names}, [traits.told(one) for one in notes]


def _measures(
    table: Table, found: Found, shown: Floats, shared: dict[str, Any], settings: Settings
) -> Iterator[Measure]:
    numbers, notes = found
    if not numbers:
        yield Measure(**shared, value=None, n=int(shown.sum()), n_units=0, unit="name", reason=notes[0])
        return
    for column, word in enumerate(table.words):
        own: dict[str, Any] = {name: defined(numbers[name][column]) for name in NUMBERS if name in numbers}
        yield Measure(
            **shared,
            **own,
            category=settings.category(word),
            attribute=word,
            n=int(shown[column]),
            n_units=int(numbers["n_units"][column]),
            unit="name",
            reason=notes[column],
        )


def with_warnings(measures: Sequence[Measure], alpha: float) -> list[Measure]:
    """Name the confounds of each difference that is present: the conditions in which p is no longer below `alpha`.

    A test that is impossible, or that could not become significant with so few names, shows neither that the difference
    vanishes nor that it stays.
    """
    held = {_key(one) for one in measures if _primary(one) and one.verdict == Verdict.PRESENT}
    gone: dict[tuple[str, ...], list[str]] = {}
    for one in measures:
        if one.condition in (MATCHED, ADJUSTED) and _key(one) in held and _is_lost(one, alpha):
            gone.setdefault(_key(one), []).append(one.condition)
    return [_named(one, gone.get(_key(one), [])) for one in measures]


def _primary(one: Measure) -> bool:
    return one.statistic in (RELATIVE, DIFFERENCE) and not (one.condition or one.variant or one.template)


def _is_lost(one: Measure, alpha: float) -> bool:
    return one.verdict != Verdict.NOT_TESTABLE and one.p_value is not None and one.p_value >= alpha


def _key(one: Measure) -> tuple[str, ...]:
    return one.group_a, one.group_b, one.attribute


def _named(one: Measure, gone: list[str]) -> Measure:
    if one.condition in gone:
        return replace(one, confounds=one.condition)
    if gone and _primary(one) and one.verdict == Verdict.PRESENT:
        return replace(one, confounds=", ".join(gone))
    return one
