"""Export of curated lists as files, from which an import makes lists of the same version."""

from plumbline.spec.errors import InputError
from plumbline.vocab import csv_file, json_file, spreadsheets
from plumbline.vocab.content import unknown
from plumbline.vocab.croissant import croissant_archive
from plumbline.vocab.kinds import Kind
from plumbline.vocab.listing import list_columns, rows_of

FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}
"""The endings of files that can be imported again, with their media types."""
DOWNLOADS = FORMATS | {"croissant.zip": "application/zip"}
"""The endings of all files that a person can download."""


def export_text(kind: Kind, slug: str = "") -> str:
    """Return one list, or all lists of the kind that have entries, as CSV text.

    Raises InputError for an unknown slug.
    """
    return csv_file.write((*list_columns(kind), *kind.columns), _rows(kind, slug))


def export_bytes(kind: Kind, form: str, slug: str = "") -> bytes:
    """Return the content of a file of one of the DOWNLOADS.

    Raises as export_text, and for content that a workbook cannot hold.
    """
    match form:
        case "json":
            return json_file.write(_rows(kind, slug)).encode()
        case "xlsx":
            return spreadsheets.write((*list_columns(kind), *kind.columns), _rows(kind, slug))
        case "croissant.zip":
            return croissant_archive(kind, slug)
    # With a BOM, without which Excel takes UTF-8 for cp1252.
    return export_text(kind, slug).encode("utf-8-sig")


def _rows(kind: Kind, slug: str) -> list[dict[str, str]]:
    lists = list(kind.list_model.objects.filter(slug=slug) if slug else kind.list_model.objects.all())
    if slug and not lists:
        raise InputError(unknown(kind.name, slug, (kind.list_model,)))
    return [row for word_list in lists for row in rows_of(kind, word_list)]
