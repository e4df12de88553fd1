"""The page of a person who sits a study: consent, one step after the other, and the end."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from plumbline.annotation.study import sitting
from plumbline.annotation.study.models import Sitting, Study
from plumbline.annotation.study.questions import COULD_NOT, steps, version
from plumbline.annotation.study.run_words import address_of
from plumbline.annotation.survey.models import paragraphs
from plumbline.pages.roles import needs_permission
from plumbline.spec.errors import InputError
from plumbline.spec.registry import card_of

SIT = "review.add_sitting"
may_take_part = needs_permission(SIT)


def _study(request: HttpRequest, number: int) -> Study:
    """Return a study that the person may sit. Raises Http404, or PermissionDenied for a study of other people."""
    study = get_object_or_404(Study.objects.select_related("run"), pk=number)
    if not study.closed_on and not sitting.may_sit(study, request.user):  # type: ignore[arg-type] # logged in
        raise PermissionDenied
    return study


def _own(request: HttpRequest, study: Study) -> Sitting | None:
    return sitting.sitting_of(study, request.user)  # type: ignore[arg-type] # logged in


@require_safe
@may_take_part
@never_cache
def study_sit(request: HttpRequest, number: int) -> HttpResponse:
    """Show where the person is. Nothing is stored, so the time of a step begins when the step before it is saved."""
    return _page(request, _study(request, number))


def _page(request: HttpRequest, study: Study, fault: str = "", given: Mapping[str, str] | None = None) -> HttpResponse:
    own, pages = _own(request, study), steps(study)
    context: dict[str, Any] = {"study": study, "own": own, "pages": len(pages), "fault": fault, "given": given or {}}
    if own is None:
        context["consent"] = paragraphs(version(study.version)["consent"])
    elif not own.ended:
        context |= {"page": pages[own.step], "could_not": COULD_NOT}
    if study.run and (card := card_of(study.run.probe)):
        # The page opens with the scores that the right answers come from; its own first choice may be another one.
        table = {"statistic": card.score, "list": study.words["list"]}
        context |= {"run_page": reverse(address_of(study.run), args=[study.run.pk], query=table), "table": table}
    return render(request, "annotation/study/sit.html", context)


@require_POST
@may_take_part
def study_begin(request: HttpRequest, number: int) -> HttpResponse:
    """Begin after the consent, or continue after leaving."""
    study = _study(request, number)
    try:
        sitting.begin(study, request.user)  # type: ignore[arg-type] # logged in
    except InputError as error:
        return _page(request, study, str(error))
    return redirect("study_sit", study.pk)


@require_POST
@may_take_part
def study_answer(request: HttpRequest, number: int) -> HttpResponse:
    """Save a step, or stop its time. A page with a missing answer is shown again with what was given."""
    study = _study(request, number)
    if (own := _own(request, study)) is None:
        return redirect("study_sit", study.pk)
    given = {name: text for name, text in request.POST.items() if isinstance(text, str)}
    if given.get("leave"):
        sitting.leave(own)
        return redirect("study_sit", study.pk)
    try:
        sitting.save(own, given.get("step", ""), given)
    except InputError as error:
        return _page(request, study, str(error), given)
    return redirect("study_sit", study.pk)


@require_POST
@may_take_part
def study_withdraw(request: HttpRequest, number: int) -> HttpResponse:
    study = _study(request, number)
    if sitting.withdraw(study, request.user):  # type: ignore[arg-type] # logged in
        messages.success(request, "Your answers are deleted.")
    return redirect("study_sit", study.pk)
