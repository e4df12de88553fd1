"""Writing to the activity log. If an entry cannot be written, what it would record fails, too.

Limits count its recent entries, which all web processes share.
"""

from datetime import timedelta
from typing import Any

import pghistory
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from plumbline import proxies
from plumbline.accounts.models import Activity, ActivityEntry

LONGEST = 300
PERIOD = timedelta(minutes=15)
"""Limits count the entries of this time."""


def record(
    activity: Activity,
    about: str = "",
    *,
    account: int | None = None,
    request: HttpRequest | None = None,
    **author: Any,
) -> None:
    """Add an entry. Without `person` or `command`, its author is that of the history's context.

    `request` is given for sign-ins, whose network address is recorded.
    """
    ActivityEntry.objects.create(
        activity=activity,
        about=about[:LONGEST],
        account=account,
        address=proxies.client_address(request) if request is not None else None,
        **(author or _author()),
    )


def recent(**about: Any) -> QuerySet[ActivityEntry]:
    """Return the entries of the last PERIOD whose fields have these values."""
    return ActivityEntry.objects.filter(at__gte=timezone.now() - PERIOD, **about)


def _author() -> dict[str, Any]:
    """Return the person or the command of the present context of the history."""
    with pghistory.context() as context:
        known = dict(context.metadata)
    command, user = known.get("command", ""), known.get("os_user")
    return {"person": known.get("user"), "command": f"{command} by {user}"[:200] if command and user else command}
