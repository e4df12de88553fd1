"""Adding a word to a finished indirect run, taking it away again, and giving it back."""

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
"""On one run at a time: more are a plan of their own."""
MOST_OPEN = 5
"""Of one run that are being asked about at the same time."""
LONGEST = 200


def add_word(run: Run, kind: Kind, category: str, word: Attribute, by: User) -> AddedWord:
    """Launch the small run of a word. One that was taken away comes back as it was, without a question to a model;
    one that failed is asked about anew.

    Raises InputError for what is wrong with the word, before anything is written.
    """
    if run.probe != "indirect" or run.state != RunState.DONE:
        raise InputError(f"run {run.pk} is {run.state}: a word can be added to a finished run of the probe indirect.")
    spec, snapshots = frozen_spec(run)
    own = cast("IndirectSpec", spec)
    _fits(own.materials(snapshots), run, kind, category, word.text)
    small = with_word(own, run.pk, kind, category, word)
    small.check(snapshots)
    if (before := _removed(run, kind, category, small)) is not None:
        return give_back(before)
    with transaction.atomic():
        life.lock(run.pk)
        _room(run)
        words_of(run).filter(kind=kind, category=category, word=word.text).update(removed_at=ClockTimestamp())
        made = launch_frozen(small, Snapshot.objects.filter(pk__in=list(snapshots)), by=by)
        return _kept(run, made, kind=kind, category=category, word=word.text, added_by=by)


def _kept(run: Run, small: Run, **about: object) -> AddedWord:
    try:
        with transaction.atomic():
            return AddedWord.objects.create(run=run, small=small, **about)
    except IntegrityError:
        raise InputError(f"{about['word']!r} was added just before by somebody else.") from None


def _fits(materials: IndirectMaterials, run: Run, kind: Kind, category: str, text: str) -> None:
    """InputError for a word that the run has, or a list that it has not."""
    if not text.isprintable() or len(text) > LONGEST:
        raise InputError(f"write a word that can be read, of at most {LONGEST} characters.")
    if kind == "feature" and category not in materials.categories:
        raise InputError(f"run {run.pk} has no features of the list {category!r}.")
    known = materials.targets if kind == "target" else materials.features
    if same := next((one.text for one in known if _folded(one.text) == _folded(text)), ""):
        raise InputError(f"{same!r} is one of the run's {kind}s already: find it in the table.")
    added = words_of(run).filter(kind=kind, category=category if kind == "feature" else "")
    if any(_folded(one.word) == _folded(text) for one in added.exclude(small__state__in=RESUMABLE)):
        raise InputError(f"{text!r} was added already.")


def _folded(text: str) -> str:
    """A tokenizer may tell Jewish from jewish, but nobody means to ask about both."""
    return unicodedata.normalize("NFC", text).casefold()


def _room(run: Run) -> None:
    """InputError when the run has as many words as it may."""
    if words_of(run).count() >= MOST_WORDS:
        raise InputError(
            f"{MOST_WORDS} words were added to this run: take some away, or launch a plan with your words."
        )
    if words_of(run).filter(small__state__in=LIVE).count() >= MOST_OPEN:
        raise InputError(f"{MOST_OPEN} words are being asked about: let these come first.")


def _removed(run: Run, kind: Kind, category: str, small: IndirectSpec) -> AddedWord | None:
    """The same word with the same forms, taken away before, whose answers are there."""
    gone = run.added_words.filter(kind=kind, category=category, removed_at__isnull=False, small__state=RunState.DONE)
    return next((one for one in gone.select_related("small") if one.small.spec == small.dump()), None)


def words_of(run: Run) -> QuerySet[AddedWord]:
    """Those that were added and not taken away."""
    return run.added_words.filter(removed_at__isnull=True)


@transaction.atomic
def take_away(word: AddedWord) -> None:
    """The word leaves the table; where it is still being asked about, that stops. Safe to repeat."""
    life.cancel(word.small_id, why="the word was taken away again")
    AddedWord.objects.filter(pk=word.pk, removed_at__isnull=True).update(removed_at=ClockTimestamp())


def give_back(word: AddedWord) -> AddedWord:
    """A word that was taken away is there again. InputError when it was added anew meanwhile, or there is no room."""
    with transaction.atomic():
        life.lock(word.run_id)
        _room(word.run)
        try:
            with transaction.atomic():
                AddedWord.objects.filter(pk=word.pk).update(removed_at=None)
        except IntegrityError:
            raise InputError(f"{word.word!r} was added anew meanwhile.") from None
        small = Run.objects.get(pk=word.small_id)
        if small.state == RunState.CANCELLED:
            life.resume(small.pk)
    word.refresh_from_db()
    return word
