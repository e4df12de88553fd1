"""Delivers what is due, in order on each line, as `audits.mail.outgoing` describes. Each attempt has the same key."""

import threading
from collections.abc import Callable
from datetime import timedelta

import structlog
from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from plumbline.alerts.models import Delivery
from plumbline.alerts.webhooks.sending import send
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.mail import outgoing

MOST_ATTEMPTS = 20
LONGEST_PAUSE = timedelta(hours=1)
CLAIM = timedelta(minutes=2)
"""The time for which a claim holds. It is longer than a request may take."""

log = structlog.get_logger(__name__)
_busy = threading.Lock()


def pause_after(attempt: int) -> timedelta:
    """Return the pause after an attempt: 15 seconds, then 1 minute, 4 and 16, then an hour each time."""
    return min(timedelta(seconds=15 * 4 ** (attempt - 1)), LONGEST_PAUSE)


def deliver_in_background() -> bool:
    """Deliver in a thread of this process, unless one does so already: a slow receiver holds nobody else up."""
    if not _due().exists() or not _busy.acquire(blocking=False):
        return False
    threading.Thread(target=_deliver_and_release, name="webhooks", daemon=True).start()
    return True


def _deliver_and_release() -> None:
    try:
        deliver_due()
    except Exception:
        log.exception("deliveries ended with a fault; the next sweep continues")
    finally:
        connection.close()
        _busy.release()


def deliver_due(pause: Callable[[int], timedelta] = pause_after) -> int:
    """Deliver until nothing is due, and return the number of deliveries that arrived."""
    manner, arrived = outgoing.Manner(MOST_ATTEMPTS, CLAIM, pause), 0
    while one := _due().select_related("webhook", "alert").order_by("pk").first():
        if outgoing.claim(one, manner):
            arrived += _attempt(one, manner)
    return arrived


def _due() -> QuerySet[Delivery]:
    """Return the due deliveries. One with an earlier one before it on its line waits for that."""
    before = Delivery.objects.filter(line=OuterRef("line"), retry_at__isnull=False, pk__lt=OuterRef("pk"))
    due = Delivery.objects.filter(retry_at__lte=ClockTimestamp(), webhook__is_active=True)
    return due.filter(~Exists(before))


def _attempt(one: Delivery, manner: outgoing.Manner) -> bool:
    if not (fault := send(one)):
        outgoing.mark_sent(one)
        return True
    if outgoing.mark_failed(one, manner, fault):
        log.error("an alert could not be delivered; nothing more is tried", delivery=one.pk, error=fault)
    return False


def deliver_again(chosen: QuerySet[Delivery]) -> int:
    """Try deliveries that were given up again, from the first attempt. Returns their number."""
    given_up = chosen.filter(sent_at__isnull=True, retry_at__isnull=True)
    return given_up.update(attempts=0, retry_at=ClockTimestamp(), error="")


def by_state() -> dict[str, int]:
    """Count the deliveries that wait, and those that were given up."""
    unsent = Delivery.objects.filter(sent_at__isnull=True)
    return {
        "waiting": unsent.filter(retry_at__isnull=False).count(),
        "failed": unsent.filter(retry_at__isnull=True).count(),
    }
