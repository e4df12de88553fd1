"""Archiving models and plans, and bringing them back. Nothing is deleted; the history records who did it."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from plumbline.audits import clock
from plumbline.audits.models import ModelUnderAudit, Plan
from plumbline.audits.scheduling.schedules import is_audited_by_a_schedule
from plumbline.pages.roles import needs_permission


@require_POST
@needs_permission("audits.change_modelunderaudit")
def model_archive(request: HttpRequest) -> HttpResponse:
    """Archive the model that the form names by `reference`, or bring it back."""
    model = get_object_or_404(ModelUnderAudit, reference=request.POST.get("reference", ""))
    _move(request, model, is_audited_by_a_schedule(model.reference))
    return redirect(f"{reverse('model')}?{urlencode({'reference': model.reference})}")


@require_POST
@needs_permission("audits.change_plan")
def plan_archive(request: HttpRequest, number: int) -> HttpResponse:
    plan = get_object_or_404(Plan, pk=number)
    _move(request, plan, plan.schedules.filter(paused=False).exists())
    return redirect("plan", plan.pk)


def _move(request: HttpRequest, row: Any, is_scheduled: bool) -> None:
    archive = request.POST.get("archive") == "1"
    if archive and is_scheduled:
        messages.error(request, f"{row} is audited by a schedule. Pause the schedule first, then archive.")
        return
    row.archived_at = clock.now() if archive else None
    row.save(update_fields=["archived_at"])
    done = "archived: lists leave it out, and its runs stay" if archive else "back in the lists"
    messages.success(request, f"{row} is {done}.")
