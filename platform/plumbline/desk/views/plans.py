"""Plans: each with its last run, one of them over its runs, and launching it."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits.costs import cost_of
from plumbline.audits.launching import launch_plan
from plumbline.audits.models import Plan
from plumbline.audits.states import RunState
from plumbline.desk import history
from plumbline.findings.sensitivity import Sensitivity, sensitivity
from plumbline.pages.roles import may_launch, viewers_only
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError

PLANS_PER_PAGE, RUNS_DRAWN, LINES_SHOWN = 50, 40, 30


@require_safe
@viewers_only
def plan_list(request: HttpRequest) -> HttpResponse:
    plans = Plan.objects.annotate(count=Count("runs"), latest=Max("runs"), last=Max("runs__created_at"))
    page = Paginator(plans.order_by("name"), PLANS_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "desk/plans.html", {"page": page})


@require_safe
@viewers_only
def plan_page(request: HttpRequest, number: int) -> HttpResponse:
    """A plan may be run on several models: each is a history of its own."""
    plan = get_object_or_404(Plan, pk=number)
    runs = plan.runs.order_by("-pk").defer("spec", "traceback", "provenance")
    models = list(plan.runs.order_by("model").values_list("model", flat=True).distinct())
    newest = runs.filter(state=RunState.DONE).values_list("model", flat=True).first()
    model = request.GET.get("model") if request.GET.get("model") in models else newest
    drawn = history.since_baseline(list(runs.filter(model=model, state=RunState.DONE)[:RUNS_DRAWN]))
    context = {
        "plan": plan,
        "models": models,
        "model": model,
        "page": Paginator(runs.select_related("comparison"), 25).get_page(request.GET.get("page")),
        "lines": drawn[:LINES_SHOWN],
        "trend": history.chosen(drawn, request.GET.get("line")),
        "schedules": plan.schedules.order_by("next_due_at")[:20],
        "cost": _cost(plan),
    }
    return render(request, "desk/plan.html", context)


def _cost(plan: Plan) -> str:
    """Of a plan that can be launched; what is wrong with another, launching says."""
    try:
        return cost_of(parse(plan.spec))
    except InputError:
        return ""


@require_safe
@viewers_only
def plan_sensitivity(request: HttpRequest, number: int) -> HttpResponse:
    """What a plan can show, as a part of its page: it reads all lists of the plan, so the page does not wait for it."""
    plan = get_object_or_404(Plan, pk=number)
    return render(request, "desk/plan_sensitivity.html", {"plan": plan, "found": _sensitivity(plan)})


def _sensitivity(plan: Plan) -> Sensitivity:
    """Of a plan that can be launched; what is wrong with another, launching says."""
    try:
        return sensitivity(parse(plan.spec))
    except InputError:
        return Sensitivity(())


def _why_to_look(plan: Plan) -> str:
    """What somebody must have seen before a launch."""
    if cost := _cost(plan):
        return f"{cost}. Launch it here, where you see what it asks."
    if warning := significance_warning(plan):
        return f"{warning} Below you see why, and can launch it all the same."
    return ""


def significance_warning(plan: Plan) -> str:
    """Return what a launch should know of a plan that can show nothing; empty for every other plan."""
    return "nothing that this plan finds can become significant." if _sensitivity(plan).nothing_possible else ""


@require_POST
@may_launch
def plan_launch(request: HttpRequest, number: int) -> HttpResponse:
    """What costs money, or can show nothing, is launched from the page that says so, and never from a list."""
    plan = get_object_or_404(Plan, pk=number)
    if "seen" not in request.POST and (why := _why_to_look(plan)):
        messages.warning(request, f"Not launched yet: {why}")
        return redirect("plan", plan.pk)
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may launch
    try:
        run = launch_plan(plan, request.user)
    except InputError as error:
        messages.error(request, f"{plan.name} cannot be launched: {error}")
        return redirect("plan", plan.pk)
    messages.success(request, f"Launched as run {run.pk}.")
    return redirect("run", run.pk)
