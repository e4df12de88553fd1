"""Answering a task: item by item, saved one by one, undone step by step, and ended once."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from plumbline.annotation.models import AnnotationItem, AnnotationTask, Answer, Kind, Participation
from plumbline.annotation.scores import ASPECTS, SCALE
from plumbline.spec.bbq_question import OPTIONS
from plumbline.spec.errors import InputError


@dataclass(frozen=True, slots=True)
class Progress:
    done: int
    items: int

    @property
    def left(self) -> int:
        return self.items - self.done


def joined(task: AnnotationTask, person: User) -> Participation:
    """The person's own work on the task, begun if it was not."""
    return Participation.objects.get_or_create(task=task, person=person)[0]


def of_person(task: AnnotationTask, person: User) -> Participation | None:
    return Participation.objects.filter(task=task, person=person).first()


def progress(own: Participation) -> Progress:
    done = Answer.objects.filter(participation=own).values("item").distinct().count()
    return Progress(done, AnnotationItem.objects.filter(task=own.task_id).count())


def next_item(own: Participation) -> AnnotationItem | None:
    """The first without an answer."""
    return _open(own).order_by("position").first()


def _open(own: Participation) -> QuerySet[AnnotationItem]:
    answered = Answer.objects.filter(participation=own, item=OuterRef("pk"))
    return AnnotationItem.objects.filter(~Exists(answered), task=own.task_id)


@transaction.atomic
def save(own: Participation, item: AnnotationItem, value: Any) -> None:
    """Keep an answer; one that says nothing new is not kept twice. InputError once the work has ended."""
    _hold(own)
    last = Answer.objects.filter(participation=own, item=item).order_by("-id").first()
    if last is None or last.value != value:
        Answer.objects.create(participation=own, item=item, value=value)


@transaction.atomic
def undo(own: Participation) -> AnnotationItem | None:
    """Take the latest answer back; its item then has the answer before it, or none. None where nothing was saved."""
    _hold(own)
    last = Answer.objects.filter(participation=own).select_related("item").order_by("-id").first()
    if last is None:
        return None
    last.delete()
    return last.item


@transaction.atomic
def end(own: Participation) -> None:
    """InputError while an item has no answer."""
    _hold(own)
    if left := _open(own).count():
        raise InputError(f"{left} of the items {'has' if left == 1 else 'have'} no answer yet; answer all, then end.")
    _close(own, declined=False)


@transaction.atomic
def decline(own: Participation) -> None:
    """Give the task up: what was answered does not count, and the results may be seen."""
    _hold(own)
    _close(own, declined=True)


def may_see_results(task: AnnotationTask, person: User) -> bool:
    """Who may annotate sees nothing of others before their own work has ended."""
    if not person.has_perm("review.add_answer"):
        return True
    own = of_person(task, person)
    return own is not None and own.ended_at is not None


def value_of(task: AnnotationTask, chosen: dict[str, list[str]]) -> Any:
    """What a form says, checked: poles in the task's order, a rating of each aspect, an option. InputError else."""
    if task.kind == Kind.VALIDATION:
        return _option(chosen.get("option", []))
    if task.kind == Kind.MAPPING:
        wanted = chosen.get("pole", [])
        if strange := set(wanted) - set(task.poles):
            raise InputError(f"{min(strange)!r} is no pole of this task; choose some of those on the page.")
        return [pole for pole in task.poles if pole in wanted]
    given = {aspect: "".join(chosen.get(aspect, [])) for aspect in ASPECTS}
    if missing := [aspect for aspect, text in given.items() if text not in map(str, SCALE)]:
        raise InputError(f"{missing[0]} has no rating; choose 1 to 5 in each row.")
    return {aspect: int(text) for aspect, text in given.items()}


def _option(given: list[str]) -> int:
    """The place of an option, from 0 on."""
    places = [str(place) for place in range(OPTIONS)]
    if len(given) != 1 or given[0] not in places:
        raise InputError("no answer is chosen; choose one of the three.")
    return int(given[0])


def _hold(own: Participation) -> None:
    """Two windows of one person wait for each other."""
    if Participation.objects.select_for_update().get(pk=own.pk).ended_at is not None:
        raise InputError("this work has ended, so its answers stay as they are; the results show them.")


def _close(own: Participation, *, declined: bool) -> None:
    own.ended_at, own.declined = timezone.now(), declined
    own.save(update_fields=["ended_at", "declined"])
