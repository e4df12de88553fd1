"""Edits of single cells and rows of a list's table of words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import CharField, Q, QuerySet, TextField

from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.vocab.cells import from_text, to_text
from plumbline.vocab.editing import date
from plumbline.vocab.history import last_author
from plumbline.vocab.kinds import Kind
from plumbline.vocab.locking import lock
from plumbline.vocab.models.recorded import EVENTS
from plumbline.vocab.replacing import fault_of

GONE = "Somebody removed this row after you opened the page. Its removal can be undone in the history."


@dataclass
class CellError(InputError):
    """A value that a cell does not take. `column` is empty if the fault concerns the whole row."""

    column: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass
class StaleRow(InputError):  # noqa: N818 -- says what happened
    """An error: somebody changed the row after the page showed it. `row` is the present one, None if it is gone."""

    row: Any | None
    text: str

    def __str__(self) -> str:
        return self.text


def texts_of(kind: Kind, entry: Any) -> dict[str, str]:
    """Return the cells of an entry by column, as files write them."""
    return {column: to_text(getattr(entry, column)) for column in kind.columns}


def fingerprint(kind: Kind, entry: Any) -> str:
    """Return a short digest of the row's cells, by which a page knows what it showed."""
    return digest(texts_of(kind, entry))[:16]


def entries(kind: Kind, word_list: Any, wanted: str = "") -> QuerySet[Any]:
    """Return the entries of a list in their order, or those with a text in one of their columns."""
    found = Q()
    for column in kind.columns if wanted else ():
        if isinstance(kind.entry_model._meta.get_field(column), (CharField, TextField)):
            found |= Q(**{f"{column}__icontains": wanted})
    rows: QuerySet[Any] = word_list.entries.filter(found).order_by("position", "id")
    return rows


@transaction.atomic
def set_cell(kind: Kind, word_list: Any, pk: int, column: str, text: str, shown: str) -> tuple[Any, int | None]:
    """Write one cell. Return the entry and the number of the recorded change, None if the cell held this text.

    Raises StaleRow if the cell no longer holds what the page showed, and CellError for a value that it does not take.
    """
    entry = _locked(kind, word_list, pk)
    if column not in kind.columns:
        raise InputError(f"there is no column {column!r}; open the page again.")
    present = to_text(getattr(entry, column))
    if present not in (shown, text.strip()):
        who = last_author(kind.entry_model, pk, [column])
        raise StaleRow(
            entry,
            f"{who} changed this to {present or 'nothing'!r} after you opened the page."
            " Press Enter again to replace it.",
        )
    if present == text.strip():
        return entry, None
    _fill(entry, {column: text})
    entry.save(update_fields=[column])
    date(kind, {word_list.pk})
    return entry, _last_event(kind, pk)


@transaction.atomic
def add_row(kind: Kind, word_list: Any, texts: Mapping[str, str]) -> Any:
    """Add an entry at the end of the list and return it. Raises CellError for a value that its cell does not take."""
    lock(kind, pk=word_list.pk)
    entry = kind.entry_model(**{kind.parent: word_list})
    _fill(entry, {column: texts.get(column, "") for column in kind.columns})
    entry.save()
    date(kind, {word_list.pk})
    return entry


@transaction.atomic
def remove_row(kind: Kind, word_list: Any, pk: int, shown: str) -> tuple[Any, int]:
    """Remove an entry that is as the page showed it. Return it, and the number of the recorded removal."""
    entry = _locked(kind, word_list, pk)
    if fingerprint(kind, entry) != shown:
        who = last_author(kind.entry_model, pk, kind.columns)
        raise StaleRow(entry, f"{who} changed this row after you opened the page. Look at it, then remove it again.")
    entry.delete()
    date(kind, {word_list.pk})
    return entry, _last_event(kind, pk)


def _last_event(kind: Kind, pk: int) -> int:
    return int(EVENTS[kind.entry_model].objects.filter(pgh_obj=pk).latest("pgh_id").pk)


def _locked(kind: Kind, word_list: Any, pk: int) -> Any:
    lock(kind, pk=word_list.pk)
    entry = word_list.entries.select_for_update().filter(pk=pk).first()
    if entry is None:
        raise StaleRow(None, GONE)
    return entry


def _fill(entry: Any, texts: Mapping[str, str]) -> None:
    """Set the cells and check the entry as the forms of the admin do."""
    for column, text in texts.items():
        try:
            setattr(entry, column, from_text(entry._meta.get_field(column), text.strip()))
        except InputError as error:
            raise CellError(column, str(error)) from None
    try:
        entry.full_clean()
    except ValidationError as error:
        raise _cell_error(error, texts) from None


def _cell_error(error: ValidationError, texts: Mapping[str, str]) -> CellError:
    """Return the fault at its own cell; the fault of the whole row belongs to the only cell that was written."""
    found = getattr(error, "error_dict", {})
    column = next((name for name in texts if name in found), "")
    if column:
        return CellError(column, f"{' '.join(error.message_dict[column][:1])}".rstrip(".") + ".")
    return CellError(next(iter(texts)), f"{fault_of(error)}.")
