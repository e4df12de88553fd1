"""What a file to import holds: what each column may say, and the first entries of a list as an example."""

from dataclasses import dataclass
from typing import Any

from plumbline.vocab.kinds import Kind
from plumbline.vocab.previewing import Rows, rows_as_text

MOST_ROWS = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A list at hand, with its first entries as a file would hold them."""

    word_list: Any
    rows: Rows


def column_notes(kind: Kind) -> list[tuple[str, str]]:
    """Return each column with what it may hold, "" where its name says it all."""
    return [(column, _note(kind.entry_model._meta.get_field(column))) for column in kind.columns]


def _note(field: Any) -> str:
    choices = [str(value) for value, _ in field.choices or () if value]
    if field.get_internal_type() == "BooleanField":
        choices = ["yes", "no"]
    return "; ".join(filter(None, (str(field.help_text), f"one of: {', '.join(choices)}" if choices else "")))


def example(kind: Kind, slug: str = "") -> Example | None:
    """Return the list of that slug as an example, or else the first list with entries; None if there is none."""
    filled = kind.list_model.objects.filter(entries__isnull=False).order_by("slug").distinct()
    word_list = filled.filter(slug=slug).first() or filled.first()
    if word_list is None:
        return None
    entries = word_list.entries.order_by("position", "id")[:MOST_ROWS]
    return Example(word_list, rows_as_text(entry.values() for entry in entries))
