"""Parts of a plan's page that take longer than the page."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from plumbline.audits.models import Plan


def render_part(request: HttpRequest, plan: Plan, part: str, context: Mapping[str, Any]) -> HttpResponse:
    """Return the part alone for the script of the plan's page. Anybody else gets a whole page with it.

    A person who follows its link before the script replaces it would otherwise see it without menu and style.
    """
    if request.GET.get("part"):
        return render(request, part, {"plan": plan, **context})
    return render(request, "desk/plan_part.html", {"plan": plan, "part": part, **context})
