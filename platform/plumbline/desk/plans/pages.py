"""The part of a plan's page that shows its lists and versions, and the button that adds an entry."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits.models import Plan
from plumbline.desk.plans.contents import PlanList, plan_lists
from plumbline.desk.plans.left_out import add_entry, effect_of_adding
from plumbline.desk.plans.list_links import list_page
from plumbline.desk.plans.parts import render_part
from plumbline.desk.plans.versions import versions
from plumbline.pages.roles import needs_permission, viewers_only
from plumbline.spec.errors import InputError, shown
from plumbline.spec.several_models import parse_each

may_edit = needs_permission("audits.change_plan")


@require_safe
@viewers_only
def plan_contents(request: HttpRequest, number: int) -> HttpResponse:
    """Show what a plan holds and its versions. It is a separate request, since it reads all lists of the plan."""
    plan = get_object_or_404(Plan, pk=number)
    context: dict[str, Any] = {"versions": versions(plan)}
    try:
        spec = parse_each(plan.spec)[0]
        lists = [(one, list_page(one, request.user), _effect(plan, one)) for one in plan_lists(spec)]
        context |= {"spec": spec, "lists": lists}
    except InputError as error:
        context["fault"] = str(error)
    return render_part(request, plan, "desk/plan_contents.html", context)


def _effect(plan: Plan, one: PlanList) -> str:
    return effect_of_adding(plan.spec, one.field, one.slug, one.left_out[0]) if one.left_out else ""


@require_POST
@may_edit
def plan_add_entry(request: HttpRequest, number: int) -> HttpResponse:
    """Add one entry of a list that the plan leaves out."""
    plan = get_object_or_404(Plan, pk=number)
    field, slug, entry = (request.POST.get(name, "") for name in ("field", "list", "entry"))
    try:
        effect = add_entry(plan.pk, field, slug, entry)
    except InputError as error:
        messages.error(request, f"Nothing is added: {error}")
    else:
        messages.success(request, f"{shown(entry)} is added. The next launch of {plan.name} asks it too. {effect}")
    return redirect("plan", plan.pk)
