"""What files say of lists: the columns beside those of the entries, and a list's content as rows of text."""

from collections.abc import Iterable
from typing import Any

from plumbline.spec.digests import digest
from plumbline.vocab.cells import to_text
from plumbline.vocab.kinds import Kind
from plumbline.vocab.models.base import METADATA

OF_SOME_KINDS = ("sensitive", "frequency_source", "group_list", "trait_list")
"""Fields of a list that not every kind has."""


def metadata_fields(kind: Kind) -> tuple[str, ...]:
    """The fields of a list itself."""
    return (*METADATA, *(field for field in OF_SOME_KINDS if hasattr(kind.list_model, field)))


def list_columns(kind: Kind) -> tuple[str, ...]:
    """The columns that say to which list a row belongs and what that list is: `list`, then `list_title` and so on."""
    return ("list", *(f"list_{field}" for field in metadata_fields(kind)))


def rows_of(kind: Kind, word_list: Any) -> list[dict[str, str]]:
    """The list's entries as texts by column. The first row carries what the list says about itself."""
    rows = [
        {"list": word_list.slug} | {column: to_text(value) for column, value in entry.values().items()}
        for entry in word_list.rows()
    ]
    for row in rows[:1]:
        row.update({f"list_{field}": to_text(getattr(word_list, field)) for field in metadata_fields(kind)})
    return rows


def state(kind: Kind, slugs: Iterable[str]) -> str:
    """Digest of everything that a curator can edit in these lists, notes, order and places included."""
    lists = kind.list_model.objects.filter(slug__in=list(slugs)).order_by("slug")
    return digest([[_about(kind, word_list), rows_of(kind, word_list)] for word_list in lists])


def _about(kind: Kind, word_list: Any) -> list[str]:
    return [word_list.slug, *(to_text(getattr(word_list, field)) for field in metadata_fields(kind))]
