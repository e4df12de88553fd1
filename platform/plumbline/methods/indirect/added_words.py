"""Adding a word to a finished indirect run, removing it and restoring it."""

import unicodedata
from typing import cast

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from plumbline.audits import life
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.freezing import frozen_spec
from plumbline.audits.launching import launch_frozen
from plumbline.audits.models import AddedWord, Run, Snapshot
from plumbline.audits.states import LIVE, RESUMABLE, RunState
from plumbline.methods.indirect.added_word_spec import Kind, with_word
from plumbline.methods.indirect.materials import IndirectMaterials
from plumbline.methods.indirect.spec import IndirectSpec
from plumbline.spec.content import Attribute
from plumbline.spec.errors import InputError

MOST_WORDS = 30
"""The most added words on one run at a time. More words need their own plan."""
MOST_OPEN = 5
"""The most added words of one run that are in progress at the same time."""
LONGEST = 200


def add_word(run: Run, kind: Kind, category: str, word: Attribute, by: User) -> AddedWord:
    """Launch the small run of a word. A removed word is restored without new requests, a failed one runs again.

    Raises InputError for an invalid word, before anything is written.
    """
    if run.probe != "indirect" or run.state != RunState.DONE:
        raise InputError(f"run {run.pk} is {run.state}: a word can be added to a finished run of the probe indirect.")
    spec, snapshots = frozen_spec(run)
    own = cast("IndirectSpec", spec)
    _fits(own.materials(snapshots), run, kind, category, word.text)
    small = with_word(own, run.pk, kind, category, word)
    small.check(snapshots)
    if (before := _removed(run, kind, category, small)) is not None:
        return restore_word(before)
    with transaction.atomic():
        life.lock(run.pk)
        _room(run)
        present_words(run).filter(kind=kind, category=category, word=word.text).update(removed_at=ClockTimestamp())
        made = launch_frozen(small, Snapshot.objects.filter(pk__in=list(snapshots)), by=by)
        return _kept(run, made, kind=kind, category=category, word=word.text, added_by=by)


def _kept(run: Run, small: Run, **about: object) -> AddedWord:
    try:
        with transaction.atomic():
            return AddedWord.objects.create(run=run, small=small, **about)
    except IntegrityError:
        raise InputError(f"{about['word']!r} was just added by another user.") from None


def _fits(materials: IndirectMaterials, run: Run, kind: Kind, category: str, text: str) -> None:
    """Raise InputError for a word that the run already has, or a list that it does not have."""
    if not text.isprintable() or len(text) > LONGEST:
        raise InputError(f"write a word of printable characters, at most {LONGEST}.")
    if kind == "feature" and category not in materials.categories:
        raise InputError(f"run {run.pk} has no features of the list {category!r}.")
    known = materials.targets if kind == "target" else materials.features
    if same := next((one.text for one in known if _folded(one.text) == _folded(text)), ""):
        raise InputError(f"{same!r} is one of the run's {kind}s already: find it in the table.")
    added = present_words(run).filter(kind=kind, category=category if kind == "feature" else "")
    if any(_folded(one.word) == _folded(text) for one in added.exclude(small__state__in=RESUMABLE)):
        raise InputError(f"{text!r} was added already.")


def _folded(text: str) -> str:
    """Fold case. A tokenizer may distinguish Jewish from jewish, but users mean one word."""
    return unicodedata.normalize("NFC", text).casefold()


def _room(run: Run) -> None:
    """Raise InputError if the run has as many added words as allowed."""
    if present_words(run).count() >= MOST_WORDS:
        raise InputError(f"{MOST_WORDS} words were added to this run: remove some, or launch a plan with your words.")
    if present_words(run).filter(small__state__in=LIVE).count() >= MOST_OPEN:
        raise InputError(f"{MOST_OPEN} words are in progress: wait until one is done.")


def _removed(run: Run, kind: Kind, category: str, small: IndirectSpec) -> AddedWord | None:
    """Return the same word with the same forms that was removed after its run was done, or None."""
    gone = run.added_words.filter(kind=kind, category=category, removed_at__isnull=False, small__state=RunState.DONE)
    return next((one for one in gone.select_related("small") if one.small.spec == small.dump()), None)


def present_words(run: Run) -> QuerySet[AddedWord]:
    """Return the added words that were not removed."""
    return run.added_words.filter(removed_at__isnull=True)


@transaction.atomic
def remove_word(word: AddedWord) -> None:
    """Remove the word from the table and cancel its run if it is live. It is safe to repeat."""
    life.cancel(word.small_id, why="the word was taken away again")
    AddedWord.objects.filter(pk=word.pk, removed_at__isnull=True).update(removed_at=ClockTimestamp())


def restore_word(word: AddedWord) -> AddedWord:
    """Restore a removed word. Raises InputError if it was added again meanwhile, or there is no room."""
    with transaction.atomic():
        life.lock(word.run_id)
        _room(word.run)
        try:
            with transaction.atomic():
                AddedWord.objects.filter(pk=word.pk).update(removed_at=None)
        except IntegrityError:
            raise InputError(f"{word.word!r} was added again meanwhile.") from None
        small = Run.objects.get(pk=word.small_id)
        if small.state == RunState.CANCELLED:
            life.resume(small.pk)
    word.refresh_from_db()
    return word
