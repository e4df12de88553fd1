"""The overview page: recent changes, running audits and workers."""

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.audits import clock, presence
from plumbline.audits.models import Notice, Plan, Role, Run
from plumbline.audits.states import LIVE
from plumbline.desk.guide.page import guide_context
from plumbline.desk.model_status import model_statuses
from plumbline.findings.models import Finding, State
from plumbline.pages.roles import viewers_only

NOTICES, LIVE_RUNS = 5, 10


@require_safe
@viewers_only
def overview(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    context = {
        "standings": model_statuses(),
        "live_runs": Run.objects.top_level().filter(state__in=LIVE).order_by("-pk").defer("spec")[:LIVE_RUNS],
        "workers": presence.alive().select_related("run"),
        "scheduler": presence.alive(Role.SCHEDULER).exists(),
        "notices": Notice.objects.order_by("-created_at")[:NOTICES],
        "plans": Plan.objects.exists(),
        "to_judge": Finding.objects.filter(state=State.NEW).count(),
        "now": clock.now(),
        **guide_context(request.user),
    }
    return render(request, "desk/overview.html", context)
