"""The drawer of one cell of the indirect page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.methods.indirect.cell import context
from plumbline.methods.indirect.explorer_page import choice_of
from plumbline.pages.roles import viewers_only


@require_safe
@viewers_only
def indirect_cell(request: HttpRequest, number: int) -> HttpResponse:
    """Return the drawer's fragment for a target and a feature. Raises Http404 for an unknown cell."""
    run, choice, slug = choice_of(request, number)
    target, feature = request.GET.get("target", ""), request.GET.get("feature", "")
    return render(request, "indirect/cell.html", context(run, choice, slug, target, feature))
