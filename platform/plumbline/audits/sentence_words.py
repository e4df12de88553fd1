"""The words of a run, from which its sentences are rebuilt."""

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.spec.errors import InputError
from plumbline.spec.sentences import Words


def sentence_words(run: Run) -> Words:
    """Return the words that a run was launched with, or none if its spec is no longer valid."""
    try:
        spec, snapshots = frozen_spec(run)
        return spec.sentence_words(snapshots)
    except InputError:
        return Words({}, {}, ())
