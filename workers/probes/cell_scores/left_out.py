"""What a cell's measures had to do without: its items that cannot be scored, counted by their reasons."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import polars as pl

from plumbline.spec.measure import Measure

Notes = Mapping[tuple[str, str], str]
"""By group and attribute."""


def left_out(records: pl.DataFrame, asked: int) -> Notes:
    """What to say of each group and attribute that has items without a score, of `asked` items."""
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
    """The measures of single attributes, with the notes on their groups behind their reasons."""
    return [_noted(measure, notes) if measure.attribute else measure for measure in measures]


def _noted(measure: Measure, notes: Notes) -> Measure:
    groups = [group for group in (measure.group_a, measure.group_b) if (group, measure.attribute) in notes]
    # A difference says of which group.
    named = [f"{group}: " if measure.group_b else "" for group in groups]
    told = [name + notes[group, measure.attribute] for name, group in zip(named, groups, strict=True)]
    return replace(measure, reason="; ".join(text for text in (measure.reason, *told) if text))
