"""The overview page: what is new, what changed, what runs, waits and failed, what is due, and each model."""

from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.audits import clock, presence
from plumbline.audits.models import Notice, Plan, Role, Run
from plumbline.audits.spending import this_month
from plumbline.audits.states import LIVE, RunState
from plumbline.desk.due import dues
from plumbline.desk.findings.doubts import length_doubt
from plumbline.desk.guide.page import guide_context
from plumbline.desk.model_status import ModelStatus, model_statuses
from plumbline.desk.overview_news import (
    WEEK,
    changes_in,
    compared_since,
    measured_otherwise,
    strongest_new,
    strongest_of_others,
)
from plumbline.findings.concerning import NO_DECISION, to_judge
from plumbline.findings.models import Finding
from plumbline.findings.sign_off.signing import standing_of
from plumbline.findings.sign_off.waiting import waiting_for
from plumbline.pages.model_names import ModelNames, model_names
from plumbline.pages.roles import viewers_only

TO_SIGN_SHOWN = 5
NOTICES, LIVE_RUNS, FAILED_RUNS, FINISHED_RUNS, DUE_SHOWN, CHANGES_SHOWN = 5, 10, 5, 5, 6, 12
ORDERS = {
    "latest": "Latest audit first",
    "size": "Largest difference first",
    "changed": "Most changed first",
    "name": "By name",
}


@require_safe
@viewers_only
def overview(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    text = request.GET.get("text", "").strip()[:200]
    order = request.GET["order"] if request.GET.get("order") in ORDERS else "latest"
    planned = dues()
    context = {
        "standings": _ordered(model_statuses(planned, text), order, model_names(request)),
        "text": text,
        "order": order,
        "orders": ORDERS,
        "due": planned.all[:DUE_SHOWN],
        "due_left": max(0, len(planned.all) - DUE_SHOWN),
        **_news(request.user),
        **_work(),
        "month": this_month(),
        "to_sign": waiting_for(request.user)[:TO_SIGN_SHOWN],
        "notices": Notice.objects.order_by("-created_at")[:NOTICES],
        "plans": Plan.objects.filter(archived_at=None).exists(),
        "now": clock.now(),
        **guide_context(request.user),
    }
    return render(request, "desk/overview.html", context)


def _ordered(found: list[ModelStatus], order: str, names: ModelNames) -> list[ModelStatus]:
    if order == "size":
        return sorted(found, key=lambda one: -one.size)
    if order == "changed":
        return sorted(found, key=lambda one: -(one.comparison.moved if one.comparison else -1))
    if order == "name":
        return sorted(found, key=lambda one: names.name(one.model).casefold())
    return found


def _news(person: User) -> dict[str, Any]:
    own = Count("pk", filter=Q(assignee=person))
    since = clock.now() - WEEK
    compared = compared_since(since)
    changes = changes_in(compared)
    strongest = strongest_new()
    return {
        "strongest": strongest,
        "of_other_runs": strongest_of_others(strongest) if strongest else [],
        "doubt": length_doubt(strongest) if strongest else "",
        **Finding.objects.filter(to_judge()).aggregate(to_judge=Count("pk"), own_to_judge=own),
        "changes": changes[:CHANGES_SHOWN],
        "has_compared": bool(compared),
        "changes_left": max(0, len(changes) - CHANGES_SHOWN),
        **measured_otherwise(since),
        "since": since,
    }


def _waiting() -> Coalesce:
    """Return the number of findings that a run shows, that nobody judged, and that no later run measured again."""
    shown = Finding.objects.filter(to_judge(), latest__run_number=OuterRef("pk"))
    own = shown.exclude(latest__outcome__in=NO_DECISION).order_by().values("latest__run_number")
    return Coalesce(Subquery(own.annotate(count=Count("pk")).values("count")), 0)


def _is_signed() -> Exists:
    return Exists(standing_of(OuterRef("pk")))


def _work() -> dict[str, Any]:
    """Return the runs that run or wait, those that failed or finished in the last week, and who works on them."""
    since = clock.now() - WEEK
    runs = Run.objects.top_level().order_by("-pk").defer("spec", "traceback", "provenance")
    workers = list(presence.alive().select_related("run"))
    failed = runs.filter(state=RunState.FAILED, created_at__gte=since)
    finished = runs.filter(state=RunState.DONE, finished_at__gte=since).order_by("-finished_at", "-pk")
    return {
        "live_runs": runs.filter(state__in=LIVE)[:LIVE_RUNS],
        "failed_runs": failed[:FAILED_RUNS],
        "finished_runs": finished.annotate(to_judge=_waiting(), is_signed=_is_signed())[:FINISHED_RUNS],
        "workers": workers,
        "worked_on": {one.run_id for one in workers},
        "scheduler": presence.alive(Role.SCHEDULER).exists(),
    }
