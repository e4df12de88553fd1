"""Items that are missing from a cell's measures because they cannot be scored, counted by reason."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import polars as pl

from plumbline.spec.measure import Measure, join_reasons

Notes = Mapping[tuple[str, str], str]
"""Notes by group and attribute."""


def left_out(records: pl.DataFrame, asked: int) -> Notes:
    """Return a note for each group and attribute with unscorable items, out of `asked` items."""
    counted = (
        records.filter(~pl.col("scorable"), pl.col("reason").is_not_null())
        .group_by("group", "attribute", "reason")
        .len()
        .sort("len", "reason", descending=[True, False])
    )
    notes: dict[tuple[str, str], str] = {}
    for group, attribute, reason, count in counted.iter_rows():
        before = notes.get((group, attribute))
        told = f"{count} of {asked} items left out: {reason}"
        notes[group, attribute] = f"{before}; {told}" if before else told
    return notes


def noted(measures: Iterable[Measure], notes: Notes) -> list[Measure]:
    """Return the measures; those of single attributes get the notes on their groups added to their reasons."""
    return [_noted(measure, notes) if measure.attribute else measure for measure in measures]


def _noted(measure: Measure, notes: Notes) -> Measure:
    groups = [group for group in (measure.group_a, measure.group_b) if (group, measure.attribute) in notes]
    # For a difference, the note names the group.
    named = [f"{group}: " if measure.group_b else "" for group in groups]
    told = [name + notes[group, measure.attribute] for name, group in zip(named, groups, strict=True)]
    return replace(measure, reason=join_reasons(measure.reason, *told))
