"""The inbox: which rules did runs break, and what have I not read yet?"""

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from plumbline.alerts.inbox import alerts_of, mark_read, mark_unread, unread
from plumbline.pages.addresses import as_whole_number
from plumbline.pages.roles import viewers_only

ROWS_PER_PAGE = 50
MOST_COUNTED = 99


@require_safe
@viewers_only
@never_cache
def inbox(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    every = alerts_of(request.user).select_related("rule_set")
    only_unread = request.GET.get("show") == "unread"
    page = Paginator(every.exclude(readings__person=request.user) if only_unread else every, ROWS_PER_PAGE)
    context = {"page": page.get_page(request.GET.get("page")), "only_unread": only_unread}
    return render(request, "desk/inbox.html", context | {"unread": unread(request.user)})


@require_safe
@viewers_only
@never_cache
def inbox_count(request: HttpRequest) -> HttpResponse:
    """Return the number of unread alerts for the navigation, or nothing."""
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    count = unread(request.user)
    text = f"{MOST_COUNTED}+" if count > MOST_COUNTED else str(count)
    return HttpResponse(f"{text} unread" if count else "", content_type="text/plain; charset=utf-8")


@require_POST
@viewers_only
def inbox_mark(request: HttpRequest) -> HttpResponse:
    """Mark the chosen alerts, or all, as read or unread."""
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    chosen = alerts_of(request.user)
    if request.POST.get("mark") != "all read":
        numbers = map(as_whole_number, request.POST.getlist("alert"))
        chosen = chosen.filter(pk__in=[one for one in numbers if one is not None])
    mark = mark_unread if request.POST.get("mark") == "unread" else mark_read
    mark(request.user, chosen)
    return redirect("inbox")
