"""Actions on runs: cancel, resume, summarise again, run again with today's words."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from plumbline.audits import life, spending
from plumbline.audits.mail import followers
from plumbline.audits.models import Run
from plumbline.audits.staleness import relaunch
from plumbline.pages.roles import may_launch, needs_permission, viewers_only
from plumbline.spec.errors import InputError

may_change = needs_permission("audits.change_run")


@require_POST
@may_change
def run_cancel(request: HttpRequest, number: int) -> HttpResponse:
    run = get_object_or_404(Run, pk=number)
    if life.cancel(run.pk, why=f"cancelled by {request.user.get_username()}"):
        messages.success(request, f"Run {run.pk} is cancelled. Its finished work is kept, and you can resume it.")
    else:
        messages.warning(request, f"Run {run.pk} had ended already.")
    return redirect("run", run.pk)


@require_POST
@may_change
def run_resume(request: HttpRequest, number: int) -> HttpResponse:
    run = get_object_or_404(Run, pk=number)
    try:
        if budget := request.POST.get("budget"):
            spending.allow(run, spending.amount(budget))
        life.take_up(run.pk)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Run {run.pk} continues with its unfinished work.")
    return redirect("run", run.pk)


@require_POST
@viewers_only
def run_follow(request: HttpRequest, number: int) -> HttpResponse:
    """Tell the person by mail when the run ends, or with `follow` empty no longer."""
    run = get_object_or_404(Run, pk=number)
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    if not request.POST.get("follow"):
        followers.unfollow(run, request.user)
        messages.success(request, f"You are not told when run {run.pk} ends.")
    elif why := followers.why_untold(request.user):
        messages.warning(request, why)
    else:
        followers.follow(run, request.user)
        messages.success(request, f"A mail to {request.user.email} tells you when run {run.pk} ends.")
    return redirect("run", run.pk)


@require_POST
@may_change
def run_summarise_again(request: HttpRequest, number: int) -> HttpResponse:
    run = get_object_or_404(Run, pk=number)
    try:
        life.summarise_again(run.pk)
    except InputError as error:
        messages.error(request, f"Run {run.pk} cannot be summarised again: {error}")
    else:
        messages.success(request, f"Run {run.pk} is being summarised again. Its earlier measures are kept.")
    return redirect("run", run.pk)


@require_POST
@may_launch
def run_ask_again(request: HttpRequest, number: int) -> HttpResponse:
    run = get_object_or_404(Run.objects.select_related("plan"), pk=number)
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may launch
    try:
        new = relaunch(run, request.user)
    except InputError as error:
        messages.error(request, f"Run {run.pk} cannot be run again: {error}")
        return redirect("run", run.pk)
    messages.success(
        request,
        f"Launched again as run {new.pk}, as run {run.pk} was ordered, with today's words."
        f"{' Later changes of the plan are not in it.' if run.plan_id else ''}"
        " The model gets only new items, and known answers are copied.",
    )
    return redirect("run", new.pk)
