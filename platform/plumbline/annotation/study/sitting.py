"""One person's way through a study: begun, answered step by step, left and continued, withdrawn."""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from plumbline.annotation.study.models import Sitting, Study, StudyAnswer
from plumbline.annotation.study.questions import COULD_NOT, TEXT, Field, StudyStep, steps
from plumbline.spec.clean_text import printable, tidy
from plumbline.spec.errors import InputError

LONGEST_TEXT = 2000


def may_sit(study: Study, person: User) -> bool:
    """Return whether the study is for this person: it names nobody, or this account."""
    return not study.people.exists() or study.people.filter(pk=person.pk).exists()


def sitting_of(study: Study, person: User) -> Sitting | None:
    return study.sittings.filter(person=person).first()


@transaction.atomic
def begin(study: Study, person: User) -> None:
    """Begin, or continue after leaving: the time runs from now on."""
    if _locked(study).closed_on:
        raise InputError("this study is closed.")
    held, _ = Sitting.objects.select_for_update().get_or_create(study=study, person=person)
    if held.shown_at is None and not held.ended:
        held.shown_at = timezone.now()
        held.save(update_fields=["shown_at"])


def _locked(study: Study) -> Study:
    return Study.objects.select_for_update().get(pk=study.pk)


@transaction.atomic
def save(sitting: Sitting, step: str, given: Mapping[str, str]) -> None:
    """Save a step and show the next one. A step that was saved before stays as it is.

    Raises InputError for a task without an answer or with two, and for an answer that was not offered.
    """
    study, held = _locked(sitting.study), Sitting.objects.select_for_update().get(pk=sitting.pk)
    if study.closed_on:
        raise InputError("this study is closed.")
    pages = steps(study)
    if held.ended or held.shown_at is None or pages[held.step].key != step:
        return
    StudyAnswer.objects.create(sitting=held, step=step, value=_value(pages[held.step], given), seconds=_spent(held))
    held.step, held.seconds = held.step + 1, 0
    held.ended = held.step == len(pages)
    held.shown_at = None if held.ended else timezone.now()
    held.save()


def _spent(held: Sitting) -> float:
    return held.seconds + ((timezone.now() - held.shown_at).total_seconds() if held.shown_at else 0)


@transaction.atomic
def leave(sitting: Sitting) -> None:
    """Stop the time of the present step until the person continues."""
    held = Sitting.objects.select_for_update().get(pk=sitting.pk)
    held.seconds, held.shown_at = _spent(held), None
    held.save(update_fields=["seconds", "shown_at"])


def _value(page: StudyStep, given: Mapping[str, str]) -> dict[str, str]:
    found = {field.name: _answer(field, given.get(field.name, "")) for field in page.fields}
    complete = all(found.values())
    if page.is_task and given.get(COULD_NOT):
        if complete:
            raise InputError("You answered the task, and said that you could not do it. Send one of the two.")
        return {COULD_NOT: "yes"}
    if page.is_task and not complete:
        raise InputError("There is no answer yet. If you cannot do the task, say so below it.")
    return {name: answer for name, answer in found.items() if answer}


def _answer(field: Field, text: str) -> str:
    if field.kind == TEXT:
        return tidy(printable(text))[:LONGEST_TEXT]
    if text and text not in field.choices:
        raise InputError(f"{text[:40]!r} is none of the answers. Choose one of the words of the run.")
    return text


@transaction.atomic
def withdraw(study: Study, person: User) -> bool:
    """Delete a person's answers. Return whether there were any; those of a closed study belong to nobody."""
    _locked(study)
    return bool(study.sittings.filter(person=person).delete()[0])


@transaction.atomic
def close(study: Study) -> None:
    """Close for good, and forget who gave which answers: results are shown of closed studies only.

    Otherwise the results before and after one more person would show this person's answers.
    """
    held = _locked(study)
    held.closed_on = held.closed_on or timezone.now().date()
    held.save(update_fields=["closed_on"])
    held.sittings.update(person=None, shown_at=None)
    held.people.clear()


def delete_unfinished(study: Study) -> int:
    """Delete the unfinished sittings of a closed study with their answers. Return how many there were."""
    return study.sittings.filter(ended=False, study__closed_on__isnull=False).delete()[1].get(Sitting._meta.label, 0)
