"""The pages of annotation tasks: the list, one task with progress and results, new tasks and deletion."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from plumbline.annotation import working
from plumbline.annotation.forms import RunTaskForm
from plumbline.annotation.models import AnnotationTask, Kind
from plumbline.annotation.template_texts import banks_with_templates
from plumbline.audits.models import Run
from plumbline.pages.roles import needs_permission, viewers_only
from plumbline.spec.errors import InputError
from plumbline.spec.registry import PROBES, contributed

TASKS_PER_PAGE = 50
OF_RUNS = (Kind.MAPPING, Kind.RATING)
"""The kinds of tasks that a run offers. Templates are validated from the page of their bank."""
MAKE = "review.add_annotationtask"
ANSWER = "review.add_answer"
may_make = needs_permission(MAKE)
may_answer = needs_permission(ANSWER)


@require_safe
@viewers_only
def annotation_list(request: HttpRequest) -> HttpResponse:
    ended = Count("participations", filter=Q(participations__ended_at__isnull=False, participations__declined=False))
    tasks = AnnotationTask.objects.select_related("run", "created_by").annotate(ended=ended).order_by("-pk")
    return render(
        request,
        "annotation/list.html",
        {
            "page": Paginator(tasks, TASKS_PER_PAGE).get_page(request.GET.get("page")),
            "banks": _slugs_of_banks(),
            "probes": [probe for probe in PROBES if _forms(probe)],
        },
    )


def _slugs_of_banks() -> list[str]:
    """Return the slugs of the banks that have a page of templates."""
    return list(banks_with_templates().values_list("slug", flat=True))


def task_or_404(number: int) -> AnnotationTask:
    return get_object_or_404(AnnotationTask.objects.select_related("run", "created_by"), pk=number)


@require_safe
@viewers_only
def annotation_task(request: HttpRequest, number: int) -> HttpResponse:
    task, person = task_or_404(number), request.user
    own = working.of_person(task, person) if person.has_perm(ANSWER) else None  # type: ignore[arg-type] # logged in
    context: dict[str, Any] = {
        "task": task,
        "items": task.items.count(),
        "banks": _slugs_of_banks() if task.bank else [],
        "own": own,
        "progress": working.progress(own) if own else None,
        "ended": task.participations.filter(ended_at__isnull=False, declined=False).count(),
        "begun": task.participations.filter(ended_at__isnull=True).count(),
        "open_results": working.may_see_results(task, person),  # type: ignore[arg-type]
    }
    return render(request, "annotation/task.html", context)


@require_safe
@may_make
def annotation_new(request: HttpRequest, number: int, kind: str) -> HttpResponse:
    run = get_object_or_404(Run, pk=number)
    return _form_page(request, run, kind, _form(run, kind))


@require_POST
@may_make
def annotation_make(request: HttpRequest, number: int, kind: str) -> HttpResponse:
    run = get_object_or_404(Run, pk=number)
    form = _form(run, kind, request.POST)
    if form.is_valid():
        try:
            return redirect("annotation_task", form.make(run, request.user).pk)  # type: ignore[arg-type] # logged in
        except InputError as error:
            form.add_error(None, str(error))
    return _form_page(request, run, kind, form)


def _form(run: Run, kind: str, data: Any = None) -> RunTaskForm:
    if kind not in OF_RUNS:
        raise Http404(f"No such task. Choose from {', '.join(OF_RUNS)}.")
    forms = _forms(run.probe)
    if kind not in forms:
        raise Http404(f"Runs of the probe {run.probe} offer no such tasks.")
    return forms[kind](run, data, initial={"title": f"{run.name[:80]}: {Kind(kind).label}"})


def _forms(probe: str) -> Mapping[str, Callable[..., RunTaskForm]]:
    """Return the forms of the tasks that runs of a probe offer, by kind of task."""
    return contributed(probe, "annotation_forms", "FORMS", {})


def _form_page(request: HttpRequest, run: Run, kind: str, form: RunTaskForm) -> HttpResponse:
    return render(request, "annotation/new.html", {"run": run, "kind": kind, "kinds": Kind, "form": form})


@require_POST
@needs_permission("review.delete_annotationtask")
def annotation_delete(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a task. A task that somebody finished stays, since answers belong to the people who gave them."""
    task = task_or_404(number)
    if task.participations.filter(ended_at__isnull=False, declined=False).exists():
        messages.error(request, "Somebody has finished this task, so it cannot be deleted.")
        return redirect("annotation_task", task.pk)
    task.delete()
    messages.success(request, f"The task {task.title} and its answers are deleted.")
    return redirect("annotation")
