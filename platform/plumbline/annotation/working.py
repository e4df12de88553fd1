"""Work on a task: answers are saved one by one, undone step by step, and ended once."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from plumbline.annotation.models import AnnotationItem, AnnotationTask, Answer, Kind, Participation
from plumbline.annotation.scores import ASPECTS, SCALE
from plumbline.spec.banks.bbq_question import OPTIONS
from plumbline.spec.errors import InputError


@dataclass(frozen=True, slots=True)
class Progress:
    done: int
    items: int

    @property
    def left(self) -> int:
        return self.items - self.done


def joined(task: AnnotationTask, person: User) -> Participation:
    """Return the person's work on the task and begin it if necessary."""
    return Participation.objects.get_or_create(task=task, person=person)[0]


def of_person(task: AnnotationTask, person: User) -> Participation | None:
    return Participation.objects.filter(task=task, person=person).first()


def progress(own: Participation) -> Progress:
    done = Answer.objects.filter(participation=own).values("item").distinct().count()
    return Progress(done, AnnotationItem.objects.filter(task=own.task_id).count())


def next_item(own: Participation) -> AnnotationItem | None:
    """Return the first item without an answer."""
    return _open(own).order_by("position").first()


def _open(own: Participation) -> QuerySet[AnnotationItem]:
    answered = Answer.objects.filter(participation=own, item=OuterRef("pk"))
    return AnnotationItem.objects.filter(~Exists(answered), task=own.task_id)


@transaction.atomic
def save(own: Participation, item: AnnotationItem, value: Any) -> None:
    """Save an answer unless it is the same as before. Raises InputError after the work has ended."""
    _hold(own)
    last = Answer.objects.filter(participation=own, item=item).order_by("-id").first()
    if last is None or last.value != value:
        Answer.objects.create(participation=own, item=item, value=value)


@transaction.atomic
def undo(own: Participation) -> AnnotationItem | None:
    """Delete the latest answer and return its item, which falls back to its answer before.

    None if there is no answer.
    """
    _hold(own)
    last = Answer.objects.filter(participation=own).select_related("item").order_by("-id").first()
    if last is None:
        return None
    last.delete()
    return last.item


@transaction.atomic
def end(own: Participation) -> None:
    """End the work. Raises InputError if an item has no answer."""
    _hold(own)
    if left := _open(own).count():
        raise InputError(
            f"{left} of the items {'has' if left == 1 else 'have'} no answer yet; answer all items, then end."
        )
    _close(own, declined=False)


@transaction.atomic
def decline(own: Participation) -> None:
    """Decline the task: its answers do not count, and the person may see the results."""
    _hold(own)
    _close(own, declined=True)


def may_see_results(task: AnnotationTask, person: User) -> bool:
    """Return whether the person may see results. Annotators must first end their own work."""
    if not person.has_perm("review.add_answer"):
        return True
    own = of_person(task, person)
    return own is not None and own.ended_at is not None


def value_of(task: AnnotationTask, chosen: dict[str, list[str]]) -> Any:
    """Return the form's answer: poles in the task's order, a rating per aspect, or an option.

    Raises InputError if invalid.
    """
    if task.kind == Kind.VALIDATION:
        return _option(chosen.get("option", []))
    if task.kind == Kind.MAPPING:
        wanted = chosen.get("pole", [])
        if strange := set(wanted) - set(task.poles):
            raise InputError(f"{min(strange)!r} is not a pole of this task; choose from those on the page.")
        return [pole for pole in task.poles if pole in wanted]
    given = {aspect: "".join(chosen.get(aspect, [])) for aspect in ASPECTS}
    if missing := [aspect for aspect, text in given.items() if text not in map(str, SCALE)]:
        raise InputError(f"{missing[0]} has no rating; choose 1 to 5 in each row.")
    return {aspect: int(text) for aspect, text in given.items()}


def _option(given: list[str]) -> int:
    """Return the index of an option, from 0."""
    places = [str(place) for place in range(OPTIONS)]
    if len(given) != 1 or given[0] not in places:
        raise InputError("no answer is chosen; choose one of the three.")
    return int(given[0])


def _hold(own: Participation) -> None:
    """Lock the person's work, so that two windows wait for each other. Raises InputError if it has ended."""
    if Participation.objects.select_for_update().get(pk=own.pk).ended_at is not None:
        raise InputError("this work has ended, so its answers stay as they are; the results show them.")


def _close(own: Participation, *, declined: bool) -> None:
    own.ended_at, own.declined = timezone.now(), declined
    own.save(update_fields=["ended_at", "declined"])
