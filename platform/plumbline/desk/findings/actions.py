"""What reviewers do with findings. Each action goes back to the page that it came from, with a message."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from plumbline.desk.findings.judge_many_page import judge_many_page, needs_confirmation
from plumbline.desk.findings.rows import assignable
from plumbline.findings import judging
from plumbline.findings.models import Finding, State
from plumbline.pages.roles import needs_permission
from plumbline.spec.errors import InputError
from plumbline.spec.numbers import counted

may_judge = needs_permission("findings.judge_finding")


@require_POST
@may_judge
def findings_judge(request: HttpRequest) -> HttpResponse:
    """Judge the selected findings with one reason, vote for their states, or assign them, by the button pressed.

    To judge several at once, a person confirms on a page that lists them.
    """
    act = {"agree": _agree, "assign": _assign}.get(request.POST.get("act", ""), _judge)
    return _acted(request, act)


@require_POST
@may_judge
def finding_vote(request: HttpRequest, number: int) -> HttpResponse:
    finding = get_object_or_404(Finding, pk=number)

    def vote(person: User) -> str:
        judging.vote(finding.pk, person, request.POST.get("state", ""))
        return "Your vote is recorded."

    return _acted(request, lambda _request, person: vote(person))


@require_POST
@may_judge
def finding_comment(request: HttpRequest, number: int) -> HttpResponse:
    finding = get_object_or_404(Finding, pk=number)

    def comment(person: User) -> str:
        judging.comment(finding.pk, person, request.POST.get("text", ""))
        return "Your comment is added."

    return _acted(request, lambda _request, person: comment(person))


def _judge(request: HttpRequest, person: User) -> str | HttpResponse:
    selected, state = _selected(request), request.POST.get("state", "")
    if needs_confirmation(request, selected):
        return judge_many_page(request, selected, back_to(request, reverse("findings")))
    number = judging.judge(selected, person, state, request.POST.get("reason", ""))
    return f"{counted(number, 'finding')} judged as {State(state).label.lower()}."


def _agree(request: HttpRequest, person: User) -> str:
    number = judging.agree(_selected(request), person)
    return f"You voted for the present state of {counted(number, 'finding')}."


def _assign(request: HttpRequest, person: User) -> str:
    name, due = request.POST.get("assignee", "").replace("\0", ""), request.POST.get("due_on", "").strip()
    to = assignable().filter(username=name).first() if name else None
    if name and to is None:
        raise InputError(f"nobody {name[:150]!r} may see findings; choose one of the list.")
    number = judging.assign(_selected(request), to, _day(due))
    return f"{counted(number, 'finding')} {'is' if number == 1 else 'are'} assigned to {name or 'nobody'}."


def _day(text: str) -> Any:
    """Return the date of a form's field, or None for an empty one. Raises InputError."""
    try:
        found = parse_date(text) if text else None
    except ValueError:
        found = None
    if text and found is None:
        raise InputError(f"{text[:20]!r} is no date; write it as 2030-12-31.")
    return found


def _selected(request: HttpRequest) -> list[int]:
    """Return the selected findings. Raises InputError for something else than numbers."""
    texts = request.POST.getlist("finding")
    if not all(text.isascii() and text.isdecimal() and len(text) < 19 for text in texts):
        raise InputError("the selection holds something that is no finding; load the page again.")
    return [int(text) for text in texts]


def _acted(request: HttpRequest, act: Callable[[HttpRequest, User], str | HttpResponse]) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    try:
        done = act(request, request.user)
        if isinstance(done, HttpResponse):
            return done
        messages.success(request, done)
    except InputError as error:
        messages.error(request, f"Nothing was changed: {error}")
    return redirect(back_to(request, reverse("findings")))


def back_to(request: HttpRequest, other: str) -> str:
    """Return the page of this site that a form names, or the other one."""
    wanted = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if wanted and safe else other
