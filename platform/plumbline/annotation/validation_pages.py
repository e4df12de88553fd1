"""The pages of a bank's templates: their validation states, and new tasks for the rest."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from plumbline.annotation.models import AnnotationTask, Participation
from plumbline.annotation.tallies import CAREFUL
from plumbline.annotation.task_pages import ANSWER, may_make
from plumbline.annotation.template_texts import banks_with_templates, texts
from plumbline.annotation.validating import make_validation
from plumbline.annotation.validation import State, ValidationStatus, states_of
from plumbline.annotation.validation_form import ValidationForm
from plumbline.pages.roles import viewers_only
from plumbline.spec.errors import InputError
from plumbline.vocab.models import Bank


@require_safe
@viewers_only
def bank_templates(request: HttpRequest, slug: str) -> HttpResponse:
    """Show each template with its state, with `?flagged=out` without the raters who failed the fillers."""
    if not request.user.has_perm("vocab.view_bank"):
        raise PermissionDenied
    bank = _bank(slug)
    out = request.GET.get("flagged") == "out"
    present = texts(bank)
    found = states_of(bank, present, out)
    counts = Counter(state.status for state in found.values())
    context = {
        "bank": bank,
        "rows": [(key, present[key], state) for key, state in found.items()],
        "counts": [(status, counts[status]) for status in ValidationStatus if counts[status]],
        "out": out,
        "careful": f"{CAREFUL:.0%}",
        "open": _open_to(request.user, found.values()),
        "tasks": AnnotationTask.objects.filter(chosen__bank=bank.slug).order_by("-pk")[:20],
    }
    return render(request, "annotation/bank_templates.html", context)


def _open_to(person: Any, found: Iterable[State]) -> set[int]:
    """Return the tasks whose figures the person may see. Annotators must first end their own work."""
    tasks = {state.task for state in found if state.task is not None}
    if not person.has_perm(ANSWER):
        return tasks
    ended = Participation.objects.filter(person=person, task__in=tasks, ended_at__isnull=False)
    return set(ended.values_list("task", flat=True))


@require_safe
@may_make
def validation_new(request: HttpRequest, slug: str) -> HttpResponse:
    bank = _bank(slug)
    return _form_page(request, bank, _form(bank))


@require_POST
@may_make
def validation_make(request: HttpRequest, slug: str) -> HttpResponse:
    bank = _bank(slug)
    form = _form(bank, request.POST, request.FILES)
    if form.is_valid():
        given, maker = form.cleaned_data, request.user
        try:
            task = make_validation(bank, given["title"], form.choice(), given["file"], maker)  # type: ignore[arg-type]
            return redirect("annotation_task", task.pk)
        except InputError as error:
            form.add_error(None, str(error))
    return _form_page(request, bank, form)


def _bank(slug: str) -> Bank:
    return get_object_or_404(banks_with_templates(), slug=slug)


def _form(bank: Bank, data: Any = None, files: Any = None) -> ValidationForm:
    """Return the form with the templates that have questions of all four conditions."""
    present = texts(bank)
    offered = [key for key, own in present.items() if own.whole]
    passed = frozenset(
        key for key, state in states_of(bank, present).items() if state.status is ValidationStatus.PASSED
    )
    return ValidationForm(offered, passed, data, files, initial={"title": f"{bank.slug}: validation"})


def _form_page(request: HttpRequest, bank: Bank, form: ValidationForm) -> HttpResponse:
    return render(request, "annotation/validation_new.html", {"bank": bank, "form": form})
