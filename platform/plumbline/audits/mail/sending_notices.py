"""Sending of notices, as `outgoing` describes it."""

from datetime import timedelta

import structlog
from django.core.mail import EmailMessage
from django.db.models import QuerySet

from plumbline.accounts import mail
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.mail import outgoing
from plumbline.audits.models import Notice

MOST_ATTEMPTS = 6
MOST_AT_ONCE = 10
"""The most notices in one sweep. The scheduler has other work, and the rest waits for the next sweep."""
CLAIM = timedelta(minutes=10)
"""The time for which a claim holds. It is longer than the timeout of mail servers."""
NO_MAIL = "no mail is sent: EMAIL_URL names no server; set it, then send again"

log = structlog.get_logger(__name__)


def pause_after(attempt: int) -> timedelta:
    """Return the pause after an attempt: 1 minute, then 4, 16, 64 and 256."""
    return timedelta(minutes=4 ** (attempt - 1))


MANNER = outgoing.Manner(MOST_ATTEMPTS, CLAIM, pause_after)


def send_due() -> int:
    """Send due notices and return the number sent.

    After a failure the rest waits, since the mail server may be down.
    """
    if not mail.is_set():
        _due().update(retry_at=None, error=NO_MAIL)
        return 0
    sent = 0
    for notice in _due().order_by("retry_at")[:MOST_AT_ONCE]:
        if not _claim(notice):
            continue
        if not _send(notice):
            break
        sent += 1
    return sent


def _due() -> QuerySet[Notice]:
    return Notice.objects.filter(sent_at__isnull=True, retry_at__lte=ClockTimestamp())


def _claim(notice: Notice) -> bool:
    return outgoing.claim(notice, MANNER)


def _send(notice: Notice) -> bool:
    message = EmailMessage(
        notice.subject, notice.body, to=notice.recipients, headers={"Auto-Submitted": "auto-generated"}
    )
    try:
        message.send()
    except Exception as error:  # mail servers and missing ones raise many kinds
        _failed(notice, " ".join(f"{type(error).__name__}: {error}".split()))
        return False
    outgoing.mark_sent(notice)
    return True


def _failed(notice: Notice, why: str) -> None:
    if outgoing.mark_failed(notice, MANNER, why):
        log.error("a notice could not be sent; nothing more is tried", notice=notice.pk, error=why)
    else:
        log.warning("a notice could not be sent; it is tried again", notice=notice.pk, error=why)
