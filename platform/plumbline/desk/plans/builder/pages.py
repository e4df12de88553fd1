"""The pages of the builder: a new plan, a copy of one, and a new version of one."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from plumbline.audits.models import Plan
from plumbline.desk.plans.builder.cards import methods_shown
from plumbline.desk.plans.builder.contrast_changes import CHOICES, contrast_change, keep_contrasts
from plumbline.desk.plans.builder.drafts import (
    Draft,
    draft_of_plan,
    judge,
    kept_keys,
    new_draft,
    posted_draft,
    values_shown,
)
from plumbline.desk.plans.builder.estimates import estimate
from plumbline.desk.plans.builder.fitting import kind_of_first, method_for, misfit
from plumbline.desk.plans.builder.inputs import inputs_of
from plumbline.desk.plans.builder.offered_models import offered_models
from plumbline.desk.plans.builder.saving import save
from plumbline.desk.plans.builder.unknown_kinds import unknown_kind
from plumbline.desk.plans.launching import launch_from_page
from plumbline.pages.model_names import model_names
from plumbline.pages.roles import needs_permission
from plumbline.spec.errors import InputError
from plumbline.spec.registry import PROBES

may_add = needs_permission("audits.add_plan")
may_edit = needs_permission("audits.change_plan")
only_get_and_post = require_http_methods(["GET", "HEAD", "POST"])
SAVE, SAVE_COPY, LAUNCH = "save", "copy", "launch"


@only_get_and_post
@may_add
def plan_new(request: HttpRequest) -> HttpResponse:
    """Build a plan from nothing, from `?method=` or `?model=`, or from a copy of the plan `?from=` (on `?model=`)."""
    if request.method == "POST":
        return _answer(request, posted_draft(request.POST), None)
    draft = _begun(request)
    judge(draft, None)
    return _page(request, draft, None)


@only_get_and_post
@may_edit
def plan_edit(request: HttpRequest, number: int) -> HttpResponse:
    """Edit a plan. What is saved is its new version."""
    plan = get_object_or_404(Plan, pk=number)
    if request.method == "POST":
        return _answer(request, posted_draft(request.POST), plan)
    draft = draft_of_plan(plan)
    judge(draft, plan)
    return _page(request, draft, plan)


def _begun(request: HttpRequest) -> Draft:
    if (number := request.GET.get("from", "")).isdecimal():
        plan = get_object_or_404(Plan, pk=int(number[:9]))
        if not (model := request.GET.get("model")):
            return draft_of_plan(plan, f"{plan.name[:190]}, copy")
        draft = draft_of_plan(plan, f"{plan.name[:100]} on {model_names(request).name(model)[:90]}")
        draft.change((("model",), model))
        return draft
    method = request.GET.get("method", "")
    model = request.GET.get("model") or offered_models().values_list("reference", flat=True).first() or ""
    return new_draft(method if method in PROBES else method_for(model), model)


def _answer(request: HttpRequest, draft: Draft, plan: Plan | None) -> HttpResponse:
    wish = request.POST.get("do", "")
    if wish in CHOICES:
        draft.change(CHOICES[wish])
    if plan:
        keep_contrasts(draft, plan)
    target = None if wish == SAVE_COPY else plan
    judge(draft, target)
    if wish not in (SAVE, SAVE_COPY, LAUNCH):
        return _page(request, draft, plan)
    if target is None and not request.user.has_perm("audits.add_plan"):
        draft.faults[""] = ("You may not add plans.",)
    if draft.faults:
        return _page(request, draft, plan, is_refused=True)
    try:
        saved = save(draft, target, request.POST.get("version", ""))
    except InputError as error:
        draft.faults[""] = (str(error),)
        return _page(request, draft, plan, is_refused=True)
    messages.success(request, f"{saved.name} is saved{' as a new version' if target else ''}.")
    if wish == LAUNCH and request.user.has_perm("audits.add_run"):
        assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
        return launch_from_page(request, saved, request.user)
    return redirect("plan", saved.pk)


def _page(request: HttpRequest, draft: Draft, plan: Plan | None, *, is_refused: bool = False) -> HttpResponse:
    """Show a judged draft. A page that nobody sent yet shows no errors, only what is still open."""
    shown = draft.faults if request.method == "POST" else {}
    context: dict[str, Any] = {
        "draft": draft,
        "plan": plan,
        "faults": shown,
        "general_faults": shown.get("", ()),
        **{f"{key}_faults": shown.get(key, ()) for key in ("name", "probe", "model")},
        "is_refused": is_refused,
        "estimate": estimate(draft.data) if set(draft.faults) <= {"name"} else None,
        "misfit": misfit(draft.data),
        "unknown_kind": unknown_kind(draft.data),
        "contrast_change": contrast_change(plan, draft.data) if plan and not draft.faults else None,
        "missing": [key.replace("_", " ") for key in draft.faults if key not in ("", "yaml", "name")],
        "version": request.POST.get("version") or (plan.modified_at.isoformat() if plan else ""),
        **methods_shown(draft.probe, kind_of_first(draft.data)),
        "kept": kept_keys(draft),
        **inputs_of(draft, values_shown(draft), shown),
    }
    return render(request, "desk/builder/page.html", context)
