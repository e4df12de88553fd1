"""Launching a plan from a page, with what a person must see before."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from plumbline.audits.launching import launch_plan_on_all
from plumbline.audits.models import Plan
from plumbline.desk.launch_warnings import plan_cost, plan_size, significance_warning
from plumbline.desk.plans.left_out import new_entries_left_out
from plumbline.spec.errors import InputError

SEEN, SEEN_SIZE = "1", "size"
"""What the form of a page sends that shows cost and sensitivity of a plan, or these and its size."""


def launch_from_page(request: HttpRequest, plan: Plan, by: User, *, seen: str = "") -> HttpResponse:
    """Launch a plan. One that costs money, takes long or cannot show anything launches from the page that says so."""
    if not seen and (why := _why_to_look(plan)):
        messages.warning(request, f"Not launched yet: {why}")
        return redirect("plan", plan.pk)
    if seen != SEEN_SIZE and plan_size(plan).is_long:
        messages.warning(request, "Not launched yet: this launch takes long. Its size is below.")
        return redirect(reverse("plan", args=[plan.pk], query={"size": "shown"}))
    try:
        runs = launch_plan_on_all(plan, by)
    except InputError as error:
        messages.error(request, f"{plan.name} cannot be launched: {error}")
        return redirect("plan", plan.pk)
    for sentence in new_entries_left_out(plan):
        messages.warning(request, sentence)
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
