"""The page between a form that judges several findings at once and the change: it lists what would change."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from plumbline.findings import judging
from plumbline.findings.models import Finding


def needs_confirmation(request: HttpRequest, selected: Sequence[int]) -> bool:
    """Return whether the request judges several findings and nobody has confirmed this yet."""
    return len(set(selected)) > 1 and request.POST.get("sure") != "yes"


def judge_many_page(request: HttpRequest, selected: Sequence[int], back: str) -> HttpResponse:
    """Return the page that lists the selected findings with their new state, and changes nothing. Raises InputError."""
    state, reason = judging.checked(request.POST.get("state", ""), request.POST.get("reason", ""))
    judging.check_number(selected)
    known = Finding.objects.filter(pk__in=set(selected)).select_related("latest").order_by("pk")
    context = {"findings": list(known), "state": state.value, "label": state.label, "reason": reason, "next": back}
    return render(request, "desk/judge_many.html", context)
