"""Preview of an import, as texts for people."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from plumbline.vocab.cells import to_text
from plumbline.vocab.replacing import Difference

MOST_SHOWN = 200
"""The number of rows that are shown of each kind of change. The counts cover all rows."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One changed cell: column, old and new text."""

    column: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Rows:
    """Entries as texts, under those columns that any of them fills."""

    columns: list[str]
    cells: list[list[str]]


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of one list: how many entries are added, changed, removed and left, and the first of each."""

    slug: str
    title: str
    created: bool
    total: int
    counts: dict[str, int]
    about: list[Edit]
    added: Rows
    changed: list[tuple[str, list[Edit]]]
    removed: Rows

    @property
    def is_nothing(self) -> bool:
        """Return whether the list would stay as it is."""
        return not (self.created or self.about or any(self.counts[what] for what in ("added", "changed", "removed")))


def preview(difference: Difference) -> Preview:
    """Return the texts of one list's difference."""
    return Preview(
        slug=difference.word_list.slug,
        title=difference.word_list.title,
        created=difference.created,
        total=difference.total,
        counts={
            "added": len(difference.added),
            "changed": len(difference.changed),
            "removed": len(difference.removed),
            "unchanged": difference.unchanged,
        },
        about=[Edit(field, to_text(old), to_text(new)) for field, (old, new) in difference.about.items()],
        added=rows_as_text(entry.values() for _, entry in difference.added[:MOST_SHOWN]),
        changed=[(str(row), _edits(row.values(), entry.values())) for row, entry in difference.changed[:MOST_SHOWN]],
        removed=rows_as_text(row.values() for row in difference.removed[:MOST_SHOWN]),
    )


def rows_as_text(entries: Iterable[Mapping[str, Any]]) -> Rows:
    """Return entries as texts, without the columns that none of them fills."""
    texts = [{column: to_text(value) for column, value in values.items()} for values in entries]
    columns = [column for column in (texts[0] if texts else ()) if any(row[column] for row in texts)]
    return Rows(columns, [[row[column] for column in columns] for row in texts])


def _edits(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Edit]:
    return [Edit(column, to_text(old[column]), to_text(new[column])) for column in new if old[column] != new[column]]
