"""Pages of plans: the list with last runs, one plan with its runs, and launches."""

from typing import Any

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits.models import Plan
from plumbline.audits.reuse import copied_shares
from plumbline.audits.states import RunState
from plumbline.desk import history, launch_warnings
from plumbline.desk.launch_warnings import plan_cost, plan_size
from plumbline.desk.plans.launching import SEEN, SEEN_SIZE, launch_from_page
from plumbline.desk.plans.parts import render_part
from plumbline.pages.roles import may_launch, viewers_only
from plumbline.spec.errors import InputError
from plumbline.spec.registry import PROBES
from plumbline.spec.several_models import model_names

PLANS_PER_PAGE, RUNS_DRAWN, LINES_SHOWN = 50, 40, 30


@require_safe
@viewers_only
def plan_list(request: HttpRequest) -> HttpResponse:
    """List the plans that ran last first, then those that were never launched, by name."""
    archived = request.GET.get("archived") == "1"
    chosen = {key: request.GET.get(key, "").strip() for key in ("probe", "text")}
    plans = _chosen(chosen).filter(archived_at__isnull=not archived)
    counted = plans.annotate(count=Count("runs"), latest=Max("runs"), last=Max("runs__created_at"))
    ordered = counted.order_by(F("latest").desc(nulls_last=True), Lower("name"), "pk")
    page = Paginator(ordered, PLANS_PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "archived": archived, "chosen": chosen, "probes": sorted(PROBES)}
    return render(request, "desk/plans.html", context)


def _chosen(chosen: dict[str, str]) -> QuerySet[Plan]:
    plans, text = Plan.objects.all(), chosen["text"]
    if chosen["probe"]:
        plans = plans.filter(spec__probe=chosen["probe"])
    return plans.filter(Q(name__icontains=text) | Q(spec__model__icontains=text)) if text else plans


@require_safe
@viewers_only
def plan_page(request: HttpRequest, number: int) -> HttpResponse:
    """Show a plan with the history of one of its models."""
    plan = get_object_or_404(Plan, pk=number)
    runs = plan.runs.order_by("-pk").defer("spec", "traceback", "provenance")
    models = list(plan.runs.order_by("model").values_list("model", flat=True).distinct())
    finished = runs.filter(state=RunState.DONE).values_list("model", flat=True)
    # The models that the plan itself names stand before variants of them, which somebody launched it on.
    newest = finished.filter(model__in=model_names(plan.spec)).first() or finished.first()
    model = request.GET.get("model") if request.GET.get("model") in models else newest
    size = plan_size(plan) if "size" in request.GET else None
    done = list(runs.filter(model=model, state=RunState.DONE).select_related("findings_update")[:RUNS_DRAWN])
    drawn = history.since_baseline(done)
    context = {
        "plan": plan,
        "models": models,
        "model": model,
        "page": Paginator(runs.select_related("comparison"), 25).get_page(request.GET.get("page")),
        "lines": drawn[:LINES_SHOWN],
        "copied": copied_shares(done),
        "not_drawn": history.concerns_of(done),
        "trend": history.chosen(drawn, request.GET.get("line")),
        "schedules": plan.schedules.order_by("next_due_at")[:20],
        "cost": plan_cost(plan),
        "size": size,
        "seen": SEEN_SIZE if size else SEEN,
        "together": _together(plan),
    }
    return render(request, "desk/plan.html", context)


def _together(plan: Plan) -> str:
    """Return the address of the latest finished runs of all models of a plan before and after, or "".

    The first model that the spec names is the parent.
    """
    named = model_names(plan.spec)
    if len(named) < 2:
        return ""
    done = plan.runs.filter(state=RunState.DONE, model__in=named).order_by("model", "-pk").distinct("model")
    latest = dict(done.values_list("model", "pk"))
    before, after = latest.get(named[0]), [latest[one] for one in named[1:] if one in latest]
    return reverse("before_after", query=[("a", before), *(("b", run) for run in after)]) if before and after else ""


@require_safe
@viewers_only
def plan_sensitivity(request: HttpRequest, number: int) -> HttpResponse:
    """Show what a plan can detect. It is a separate request, since it reads all lists of the plan."""
    plan = get_object_or_404(Plan, pk=number)
    try:
        context: dict[str, Any] = {"found": launch_warnings.plan_sensitivity(plan)}
    except InputError as error:
        context = {"fault": str(error)}
    return render_part(request, plan, "desk/plan_sensitivity.html", context)


@require_POST
@may_launch
def plan_launch(request: HttpRequest, number: int) -> HttpResponse:
    """Launch a plan. One that costs money, takes long or cannot show anything launches from the page that says so."""
    plan = get_object_or_404(Plan, pk=number)
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may launch
    return launch_from_page(request, plan, request.user, seen=request.POST.get("seen", ""))
