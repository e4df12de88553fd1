"""The words of a run, which put its sentences together again."""

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.spec.errors import InputError
from plumbline.spec.sentences import Words


def words_of(run: Run) -> Words:
    """The words that a run was launched with; none for a run whose spec can no longer be read."""
    try:
        spec, snapshots = frozen_spec(run)
        return spec.sentence_words(snapshots)
    except InputError:
        return Words({}, {}, ())
