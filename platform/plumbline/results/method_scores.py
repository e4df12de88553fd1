"""Scores of one run as other methods can share them: by the text of group and word, in any case, number and list."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.results import grid
from plumbline.spec.errors import InputError
from plumbline.spec.grammar import expand
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.method_scores import Estimate, MethodScores
from plumbline.spec.registry import card_of

FORMS = ("label", "text", "singular", "plural")


def scores_of(run: Run) -> list[MethodScores]:
    """Return the scores of each statistic of a finished run that its method declares, without empty ones.

    Raises InputError for a method that declares none.
    """
    card = card_of(run.probe)
    if card is None or (basis := card.basis) is None:
        raise InputError(f"the method {run.probe!r} of run {run.pk} scores no group with a word.")
    spec, snapshots = frozen_spec(run)
    forms = comparable_forms([run.spec, *(one["entries"] for one in snapshots.values() if "entries" in one)])
    templates = frozenset(_templates([run.spec, *snapshots.values()]))
    compared = _cells(run, card.difference, spec.variant)
    found = []
    for statistic in basis.scores or (card.score,):
        cells = _cells(run, statistic, spec.variant)
        names = _comparable({label for one in (*cells, *compared) for label in one[:3]}, forms)
        found.append(
            MethodScores(
                run.pk, run.probe, card.title, statistic, card.unit_of(statistic), basis,
                {(names[group], names[word]): one for group, other, word, one in cells if not other},
                {
                    (names[group], names[other], names[word]): one
                    for group, other, word, one in compared
                    if other and other != OTHER_GROUPS
                },
                templates, card.difference, {name: label for label, name in names.items()},
            )
        )  # fmt: skip
    return [one for one in found if one.scores]


def comparable_forms(entries: Any) -> dict[str, str]:
    """Return the comparable text of each form in a spec or list: the singular, else the entry's own text."""
    found: dict[str, str] = {}
    for entry in _entries(entries):
        texts = [str(entry[key]) for key in FORMS if entry.get(key)]
        base = str(entry.get("singular") or entry.get("text") or texts[0])
        found |= {text.casefold(): base.casefold() for text in texts}
    return found


def _entries(part: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(part, Mapping):
        if any(isinstance(part.get(key), str) and part[key] for key in ("label", "text")):
            yield part
        for one in part.values():
            yield from _entries(one)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from _entries(one)


def _templates(part: Any) -> Iterator[str]:
    """Yield the texts with a slot, each of their alternatives apart."""
    if isinstance(part, str):
        if "{" in part:
            yield from _alternatives(part)
    elif isinstance(part, Mapping | list | tuple):
        for one in part.values() if isinstance(part, Mapping) else part:
            yield from _templates(one)


def _alternatives(text: str) -> Sequence[str]:
    try:
        return expand(text)
    except InputError:  # not a template after all, such as a note
        return [text]


def _comparable(labels: set[str], forms: Mapping[str, str]) -> dict[str, str]:
    """Return the comparable text of each label. Labels that would share one keep their own."""
    names = {label: forms.get(label.casefold(), label.casefold()) for label in labels}
    times = Counter(names.values())
    return {label: name if times[name] == 1 else label.casefold() for label, name in names.items()}


def _cells(run: Run, statistic: str, variant: str) -> list[tuple[str, str, str, Estimate]]:
    """Return group, other group, word and estimate of the cells with a value. A word of two lists counts once."""
    found = grid.cells(run.pk, statistic, variant).filter(~pl.col("value").is_null())
    columns = ("group_a", "group_b", "attribute", "value", "ci_low", "ci_high", "verdict", "n")
    rows = {row[:3]: row for row in reversed(found.select(columns).rows())}
    return [(*key, Estimate(*row[3:])) for key, row in reversed(rows.items())]
