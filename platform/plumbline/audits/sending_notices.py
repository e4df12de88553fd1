"""Sending notices: each is claimed by a conditional UPDATE, so that two schedulers do not both send it.

A scheduler that is killed between the mail server's yes and the next statement sends that notice twice: once too often
rather than never.
"""

from datetime import timedelta

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F, QuerySet, Value

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import Notice

MOST_ATTEMPTS = 6
MOST_AT_ONCE = 10
"""The scheduler has other work: the rest waits for the next sweep."""
CLAIM = timedelta(minutes=10)
"""For so long nobody else tries; longer than any mail server is waited for."""
NO_MAIL = "no mail is sent: EMAIL_URL names no server; set it, then send again"
DUMMY = "django.core.mail.backends.dummy.EmailBackend"

log = structlog.get_logger(__name__)


def send_due() -> int:
    """Send what is due; how many were sent. After one that failed the rest waits, for the server may be away."""
    if settings.EMAIL_BACKEND == DUMMY:
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
    """Whether this notice is ours to send. The attempt counts now, so that one that kills its sender ends too."""
    same = Notice.objects.filter(pk=notice.pk, sent_at__isnull=True, retry_at=notice.retry_at)
    if notice.attempts >= MOST_ATTEMPTS:
        same.update(retry_at=None, error=notice.error or "its sender was killed each time")
        return False
    return bool(same.update(attempts=F("attempts") + 1, retry_at=ClockTimestamp() + Value(CLAIM)))


def _send(notice: Notice) -> bool:
    message = EmailMessage(
        notice.subject, notice.body, to=notice.recipients, headers={"Auto-Submitted": "auto-generated"}
    )
    try:
        message.send()
    except Exception as error:  # whatever a mail server, or its absence, may raise
        _failed(notice, " ".join(f"{type(error).__name__}: {error}".split()))
        return False
    Notice.objects.filter(pk=notice.pk).update(sent_at=ClockTimestamp(), retry_at=None, error="")
    return True


def _failed(notice: Notice, why: str) -> None:
    attempt = notice.attempts + 1
    ours = Notice.objects.filter(pk=notice.pk, attempts=attempt)
    if attempt >= MOST_ATTEMPTS:
        log.error("a notice could not be sent; nothing more is tried", notice=notice.pk, error=why)
        ours.update(retry_at=None, error=f"given up after {attempt} attempts: {why}")
    else:
        log.warning("a notice could not be sent; it is tried again", notice=notice.pk, error=why)
        ours.update(retry_at=ClockTimestamp() + Value(pause_after(attempt)), error=why)


def pause_after(attempt: int) -> timedelta:
    """1 minute, then 4, 16, 64 and 256."""
    return timedelta(minutes=4 ** (attempt - 1))
