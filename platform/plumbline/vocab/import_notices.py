"""Notices of an import: doubtful ratings, groups without forms that templates need, and the groups of names."""

from collections.abc import Sequence

from plumbline.vocab.missing_forms import missing_form_notices
from plumbline.vocab.models import NameList
from plumbline.vocab.name_notices import name_notices, new_group_notices
from plumbline.vocab.rating_notices import notices_of
from plumbline.vocab.ratings_file import Mean
from plumbline.vocab.replacing import Difference


def import_notices(differences: Sequence[Difference], published: Sequence[Mean] = ()) -> list[str]:
    """Return the notices about what an import writes. `published` means belong to ratings."""
    added = [new for one in differences for _, new in one.added]
    changed = [pair for one in differences for pair in one.changed]
    written = [*added, *(new for _, new in changed)]
    return [
        *notices_of(differences, published),
        *missing_form_notices(written),
        *name_notices(added, changed),
        *(notice for one in differences for notice in _new_groups(one)),
    ]


def _new_groups(one: Difference) -> list[str]:
    is_stored = isinstance(one.word_list, NameList) and not one.created
    return new_group_notices(one.word_list, [new for _, new in [*one.added, *one.changed]]) if is_stored else []
