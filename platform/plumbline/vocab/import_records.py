"""The record of an import, by which it can be undone as a whole."""

from collections.abc import Sequence
from typing import Any

import pghistory
from django.db import transaction
from django.db.models import QuerySet

from plumbline.vocab.kinds import Kind
from plumbline.vocab.models import Import
from plumbline.vocab.replacing import Change, Difference, write


@transaction.atomic
def write_import(
    kind: Kind, file: str, differences: Sequence[Difference], notices: Sequence[str]
) -> tuple[list[Change], Import | None]:
    """Write the differences, in the transaction that read them. Return the changes and their record.

    An import that changes nothing has no record.
    """
    with pghistory.context(import_of=file) as context:
        changes = [write(difference) for difference in differences]
        return changes, _record(kind, file, context.id, differences, notices)


def _record(
    kind: Kind, file: str, context: Any, differences: Sequence[Difference], notices: Sequence[str]
) -> Import | None:
    if all(difference.is_nothing for difference in differences):
        return None
    return Import.objects.create(
        kind=kind.name,
        file=file[:500],
        context=context,
        lists=[one.word_list.pk for one in differences],
        slugs=[one.word_list.slug for one in differences],
        added=sum(len(one.added) for one in differences),
        changed=sum(len(one.changed) for one in differences),
        removed=sum(len(one.removed) for one in differences),
        skipped=[str(row) for one in differences for row in one.skipped],
        notices=list(notices),
    )


def imports_of(kind_name: str, list_id: int | None) -> QuerySet[Import]:
    """Return the imports of a kind, or of one list, latest first. Undos are found by the import that they undo."""
    found = Import.objects.filter(kind=kind_name, undoes=None)
    return found if list_id is None else found.filter(lists__contains=[list_id])
