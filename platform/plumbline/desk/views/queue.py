"""The page of the queue: the waiting runs in the order of their turns, and the actions that reorder them."""

from collections.abc import Callable
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits import clock, presence
from plumbline.audits.models import MoveKind, QueueMove
from plumbline.audits.queue import queue_order
from plumbline.audits.states import Priority
from plumbline.desk.views.run_actions import may_change
from plumbline.pages.roles import viewers_only
from plumbline.spec.errors import InputError

MOST_SHOWN, MOVES_SHOWN = 200, 20
MOVES: dict[str, Callable[[int, User], QueueMove]] = {
    MoveKind.FRONT: queue_order.move_to_front,
    MoveKind.UP: queue_order.move_up,
    MoveKind.RELEASE: queue_order.release,
}


@require_safe
@viewers_only
@never_cache
def queue_page(request: HttpRequest) -> HttpResponse:
    waiting = queue_order.queue()
    working = presence.alive().filter(run__isnull=False).order_by("run").values("run").annotate(workers=Count("pk"))
    context = {
        "waiting": waiting[:MOST_SHOWN],
        "more": max(0, len(waiting) - MOST_SHOWN),
        "working": {row["run"]: row["workers"] for row in working},
        "workers": presence.alive().count(),
        "turn": settings.TURN_SECONDS,
        "priorities": [(priority.value, priority.name.lower()) for priority in Priority],
        "moves": QueueMove.objects.select_related("run", "by")[:MOVES_SHOWN],
        "moved": {run.pk: request.GET.get("how", "") for run in waiting if str(run.pk) == request.GET.get("moved", "")},
        "now": clock.now(),
    }
    return render(request, "desk/queue.html", context)


@require_POST
@may_change
def queue_move(request: HttpRequest, number: int) -> HttpResponse:
    """Reorder the queue as the button says, and return to the page with the focus on the same button."""
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may change runs
    how = request.POST.get("how", "")
    try:
        change = _moved(number, how, request.POST.get("priority", ""), request.user)
    except InputError as error:
        messages.error(request, f"The queue is unchanged: {error}")
        return redirect("queue")
    messages.success(request, f"Run {number} was number {change.position_before} and is now {change.position_after}.")
    return redirect(f"{reverse('queue')}?{urlencode({'moved': number, 'how': how})}")


def _moved(number: int, how: str, priority: str, by: User) -> QueueMove:
    if how in MOVES:
        return MOVES[how](number, by)
    named = {str(one.value): one for one in Priority}
    if how != MoveKind.PRIORITY or priority not in named:
        raise InputError("choose one of the buttons of the page.")
    return queue_order.change_priority(number, named[priority], by)
