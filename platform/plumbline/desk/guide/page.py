"""The guide as a page of its own, and dismissing it from the Overview."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits.models import Plan, Run
from plumbline.desk.guide.content import example
from plumbline.desk.guide.models import GuideDismissal
from plumbline.pages.roles import viewers_only


def guide_context(person: User) -> dict[str, Any]:
    """Return what the guide shows on the Overview, and nothing for who dismissed it."""
    if GuideDismissal.objects.filter(person=person).exists():
        return {"guide_is_dismissed": True}
    return _content()


def _content() -> dict[str, Any]:
    return {
        "guide": True,
        "guide_example": example(),
        "guide_plan": Plan.objects.order_by("pk").first(),
        "guide_has_runs": Run.objects.top_level().exists(),
    }


@require_safe
@viewers_only
@never_cache
def guide_page(request: HttpRequest) -> HttpResponse:
    is_dismissed = GuideDismissal.objects.filter(person_id=request.user.pk).exists()
    return render(request, "desk/guide_page.html", {**_content(), "guide_is_dismissed": is_dismissed})


@require_POST
@viewers_only
def guide_dismiss(request: HttpRequest) -> HttpResponse:
    GuideDismissal.objects.get_or_create(person_id=request.user.pk)
    messages.info(request, "The guide is closed. The link Guide at the bottom of each page leads to it.")
    return redirect("overview")


@require_POST
@viewers_only
def guide_restore(request: HttpRequest) -> HttpResponse:
    GuideDismissal.objects.filter(person_id=request.user.pk).delete()
    return redirect("overview")
