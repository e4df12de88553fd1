"""Sending of notices. A conditional UPDATE claims each, so that two schedulers do not both send it.

If a scheduler is killed between the mail server's acceptance and the next statement, that notice is sent twice rather
than never.
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
"""The most notices in one sweep. The scheduler has other work, and the rest waits for the next sweep."""
CLAIM = timedelta(minutes=10)
"""The time for which a claim holds. It is longer than the timeout of mail servers."""
NO_MAIL = "no mail is sent: EMAIL_URL names no server; set it, then send again"
DUMMY = "django.core.mail.backends.dummy.EmailBackend"

log = structlog.get_logger(__name__)


def send_due() -> int:
    """Send due notices and return the number sent.

    After a failure the rest waits, since the mail server may be down.
    """
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
    """Claim a notice and return whether it is ours. The attempt counts now, since the sender may be killed by it."""
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
    except Exception as error:  # mail servers and missing ones raise many kinds
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
    """Return the pause after an attempt: 1 minute, then 4, 16, 64 and 256."""
    return timedelta(minutes=4 ** (attempt - 1))
