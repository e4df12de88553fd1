"""The pages for answering a task: one item per page, saved one by one, also by keyboard."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from plumbline.annotation import working
from plumbline.annotation.models import AnnotationItem, AnnotationTask, Answer, Kind, Participation
from plumbline.annotation.scores import ASPECTS, SCALE
from plumbline.annotation.task_pages import may_answer, task_or_404
from plumbline.spec.errors import InputError

KEYS = "abcdefghijklmnopqrst"
"""The keys of the traits in order: a letter chooses the left pole, with Shift the right pole."""


@require_safe
@may_answer
@never_cache
def annotate(request: HttpRequest, number: int) -> HttpResponse:
    """Show the item of `?item=`, or the first without an answer, or the page that ends the work."""
    task = task_or_404(number)
    own = _joined(task, request)
    if own.ended_at is not None:
        return redirect("annotation_task", task.pk)
    item = _wanted(task, request.GET.get("item", "")) or working.next_item(own)
    return render(request, "annotation/answer.html", _page(task, own, item))


def _page(task: AnnotationTask, own: Participation, item: AnnotationItem | None) -> dict[str, Any]:
    found: dict[str, Any] = {"task": task, "progress": working.progress(own), "item": item, "kinds": Kind}
    if item is None:
        return found
    last = Answer.objects.filter(participation=own, item=item).order_by("-id").first()
    value = last.value if last else None
    found |= {"answered": last is not None, "number": item.position + 1}
    if task.kind == Kind.MAPPING:
        return found | {"rows": _traits(task, value or [])}
    if task.kind == Kind.VALIDATION:
        return found | {"rows": [(place, text, place == value) for place, text in enumerate(item.content["options"])]}
    rows = [(aspect, asked, (value or {}).get(aspect)) for aspect, asked in ASPECTS.items()]
    return found | {"rows": rows, "scale": SCALE}


def _traits(task: AnnotationTask, chosen: list[str]) -> list[dict[str, Any]]:
    return [
        one | {"key": key, "left_chosen": one["left"] in chosen, "right_chosen": one["right"] in chosen}
        for one, key in zip(task.chosen["traits"], KEYS.ljust(len(task.chosen["traits"])), strict=False)
    ]


@require_POST
@may_answer
def annotate_save(request: HttpRequest, number: int) -> HttpResponse:
    """Save the answer and go to the next item without one."""
    task = task_or_404(number)
    place = request.POST.get("item", "")
    item = _wanted(task, place)
    if item is None:
        messages.error(request, "The task has no such item. Nothing was saved.")
        return redirect("annotate", task.pk)
    try:
        working.save(_joined(task, request), item, working.value_of(task, dict(request.POST.lists())))
    except InputError as error:
        messages.error(request, f"Not saved: {error}")
        return _to(task, item)
    return redirect("annotate", task.pk)


@require_POST
@may_answer
def annotate_undo(request: HttpRequest, number: int) -> HttpResponse:
    """Remove the latest answer and show its item."""
    task = task_or_404(number)
    try:
        item = working.undo(_joined(task, request))
    except InputError as error:
        messages.error(request, str(error))
        return redirect("annotation_task", task.pk)
    messages.info(request, "Answer removed." if item else "There is no answer to remove.")
    return _to(task, item) if item else redirect("annotate", task.pk)


@require_POST
@may_answer
def annotate_end(request: HttpRequest, number: int) -> HttpResponse:
    task = task_or_404(number)
    try:
        working.end(_joined(task, request))
    except InputError as error:
        messages.error(request, str(error))
        return redirect("annotate", task.pk)
    messages.success(request, "Thank you. Your answers now count, and you can see the results.")
    return redirect("annotation_task", task.pk)


@require_POST
@may_answer
def annotate_decline(request: HttpRequest, number: int) -> HttpResponse:
    task = task_or_404(number)
    try:
        working.decline(_joined(task, request))
    except InputError as error:
        messages.error(request, str(error))
    return redirect("annotation_task", task.pk)


def _joined(task: AnnotationTask, request: HttpRequest) -> Participation:
    return working.joined(task, request.user)  # type: ignore[arg-type] # whoever has the permission is logged in


def _wanted(task: AnnotationTask, place: str) -> AnnotationItem | None:
    """Return the item at a position, from 0. Raises Http404 for an invalid one."""
    if not place:
        return None
    known = place.isascii() and place.isdecimal() and len(place) < 9
    return get_object_or_404(AnnotationItem, task=task, position=int(place) if known else -1)


def _to(task: AnnotationTask, item: AnnotationItem) -> HttpResponseRedirect:
    return HttpResponseRedirect(f"{reverse('annotate', args=[task.pk])}?item={item.position}")
