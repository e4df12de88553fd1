"""Notices of an import: doubtful ratings, and groups without forms that templates need."""

from collections.abc import Sequence

from plumbline.vocab.missing_forms import missing_form_notices
from plumbline.vocab.rating_notices import notices_of
from plumbline.vocab.ratings_file import Mean
from plumbline.vocab.replacing import Difference


def import_notices(differences: Sequence[Difference], published: Sequence[Mean] = ()) -> list[str]:
    """Return the notices about what an import writes. `published` means belong to ratings."""
    written = [
        entry for one in differences for entry in (*(new for _, new in one.added), *(new for _, new in one.changed))
    ]
    return [*notices_of(differences, published), *missing_form_notices(written)]
