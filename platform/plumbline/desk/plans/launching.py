"""Launching a plan from a page, with what a person must see before."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from plumbline.audits.launching import launch_plan_on_all
from plumbline.audits.models import Plan
from plumbline.desk.launch_warnings import plan_cost, significance_warning
from plumbline.spec.errors import InputError


def launch_from_page(request: HttpRequest, plan: Plan, by: User, *, has_seen: bool) -> HttpResponse:
    """Launch a plan. One that costs money or cannot show anything launches only from the page that says so."""
    if not has_seen and (why := _why_to_look(plan)):
        messages.warning(request, f"Not launched yet: {why}")
        return redirect("plan", plan.pk)
    try:
        runs = launch_plan_on_all(plan, by)
    except InputError as error:
        messages.error(request, f"{plan.name} cannot be launched: {error}")
        return redirect("plan", plan.pk)
    if len(runs) > 1:
        messages.success(request, f"Launched as runs {', '.join(str(run.pk) for run in runs)}, one for each model.")
        return redirect("plan", plan.pk)
    messages.success(request, f"Launched as run {runs[0].pk}.")
    return redirect("run", runs[0].pk)


def _why_to_look(plan: Plan) -> str:
    """Return what the user must see before a launch, or ""."""
    if cost := plan_cost(plan):
        return f"{cost}. Launch it here to see what it asks."
    if warning := significance_warning(plan):
        return f"{warning} The reason is below. You can still launch the plan."
    return ""
