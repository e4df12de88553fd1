"""The deletion of old runs on a page: first what would go and what stays, then exactly that."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from plumbline.pages.roles import needs_permission
from plumbline.results import retention
from plumbline.results.retention import Past
from plumbline.results.sizes import Size
from plumbline.spec.errors import InputError

MOST_GOING, MOST_KEPT = 100, 500
"""The runs that one page shows; the oldest come first, and the next ones once these are deleted."""
may_delete = needs_permission("audits.delete_run")


@dataclass
class Portion:
    """The oldest runs before a day: those that go, those that stay, and whether there are more."""

    going: list[Past] = field(default_factory=list)
    kept: list[Past] = field(default_factory=list)
    more: bool = False

    @property
    def size(self) -> Size:
        return sum((one.size for one in self.going), Size())

    @property
    def numbers(self) -> str:
        """The numbers of the runs that go, which the form sends back."""
        return ",".join(str(one.run.pk) for one in self.going)


@require_safe
@may_delete
def runs_old(request: HttpRequest) -> HttpResponse:
    """Show which runs before the day `before` would go, which stay, and why."""
    day = request.GET.get("before", "").strip()[:40]
    portion = None
    try:
        portion = _portion(retention.before(retention.day(day))) if day else None
    except InputError as error:
        messages.error(request, str(error))
    return render(request, "desk/runs_old.html", {"day": day, "portion": portion})


@require_POST
@may_delete
def runs_old_delete(request: HttpRequest) -> HttpResponse:
    """Delete the runs that the page showed, unless others would go by now."""
    day = request.POST.get("before", "").strip()[:40]
    try:
        portion = _portion(retention.before(retention.day(day)))
        if portion.numbers != request.POST.get("shown"):
            raise InputError("What would go has changed since it was shown, so nothing was deleted. Look again.")
        _delete(request, portion)
    except InputError as error:
        messages.error(request, str(error))
    return redirect(f"{reverse('runs_old')}?{urlencode({'before': day})}")


def _portion(past: Iterable[Past]) -> Portion:
    portion = Portion()
    for one in past:
        if len(portion.going) == MOST_GOING or len(portion.kept) == MOST_KEPT:
            portion.more = True
            break
        (portion.kept if one.reasons else portion.going).append(one)
    return portion


def _delete(request: HttpRequest, portion: Portion) -> None:
    gone = []
    try:
        for number, reasons in retention.delete([one.run for one in portion.going]):
            if reasons:
                messages.error(request, f"Run {number} stays: {'; '.join(reasons)}.")
            else:
                gone.append(number)
    finally:
        if gone:
            messages.success(request, f"Deleted {len(gone)} run{'s' * (len(gone) != 1)}: {', '.join(map(str, gone))}.")
