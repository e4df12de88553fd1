"""Exporting curated lists as CSV text, from which an import makes lists of the same version."""

from typing import Any

from plumbline.spec.errors import InputError
from plumbline.vocab.cells import to_text
from plumbline.vocab.content import unknown
from plumbline.vocab.csv_file import write
from plumbline.vocab.importing import list_columns, metadata_fields
from plumbline.vocab.kinds import Kind


def export_text(kind: Kind, slug: str = "") -> str:
    """One list, or all lists of the kind that have entries, as CSV text. Raises InputError for an unknown slug."""
    lists = list(kind.list_model.objects.filter(slug=slug) if slug else kind.list_model.objects.all())
    if slug and not lists:
        raise InputError(unknown(kind.name, slug, (kind.list_model,)))
    rows = [row for word_list in lists for row in rows_of(kind, word_list)]
    return write((*list_columns(kind), *kind.columns), rows)


def rows_of(kind: Kind, word_list: Any) -> list[dict[str, str]]:
    """The list's entries as texts by column. The first row carries what the list says about itself."""
    rows = [
        {"list": word_list.slug} | {column: to_text(value) for column, value in entry.values().items()}
        for entry in word_list.rows()
    ]
    for row in rows[:1]:
        row.update({f"list_{field}": to_text(getattr(word_list, field)) for field in metadata_fields(kind)})
    return rows
