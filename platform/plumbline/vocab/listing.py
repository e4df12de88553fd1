"""Lists in files: the columns in addition to those of the entries, and a list's content as rows of text."""

from collections.abc import Iterable
from typing import Any

from plumbline.spec.digests import digest
from plumbline.vocab.cells import to_text
from plumbline.vocab.kinds import Kind
from plumbline.vocab.models.base import METADATA

OF_SOME_KINDS = ("sensitive", "frequency_source", "group_list", "trait_list")
"""Fields that only some kinds of list have."""


def metadata_fields(kind: Kind) -> tuple[str, ...]:
    """Return the fields of a list itself."""
    return (*METADATA, *(field for field in OF_SOME_KINDS if hasattr(kind.list_model, field)))


def list_columns(kind: Kind) -> tuple[str, ...]:
    """Return the columns that name a row's list and describe it: `list`, then `list_title` and so on."""
    return ("list", *(f"list_{field}" for field in metadata_fields(kind)))


def rows_of(kind: Kind, word_list: Any) -> list[dict[str, str]]:
    """Return the list's entries as texts by column. The first row carries the fields of the list."""
    rows = [
        {"list": word_list.slug} | {column: to_text(value) for column, value in entry.values().items()}
        for entry in word_list.rows()
    ]
    for row in rows[:1]:
        row.update({f"list_{field}": to_text(getattr(word_list, field)) for field in metadata_fields(kind)})
    return rows


def state(kind: Kind, slugs: Iterable[str]) -> str:
    """Return the digest of everything that a curator can edit in these lists, with notes, order and positions."""
    lists = kind.list_model.objects.filter(slug__in=list(slugs)).order_by("slug")
    return digest([[_list_cells(kind, word_list), rows_of(kind, word_list)] for word_list in lists])


def _list_cells(kind: Kind, word_list: Any) -> list[str]:
    return [word_list.slug, *(to_text(getattr(word_list, field)) for field in metadata_fields(kind))]
