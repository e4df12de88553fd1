"""Mails of accounts. Where no mail server is set, an admin hands links over."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import structlog
from django.conf import settings
from django.core.mail import EmailMessage

DUMMY = "django.core.mail.backends.dummy.EmailBackend"
_sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")

log = structlog.get_logger(__name__)


def is_set() -> bool:
    """Return whether a mail server is set."""
    return bool(settings.EMAIL_BACKEND != DUMMY)


def send(to: str, subject: str, body: str) -> str:
    """Send a mail at once and return why it failed; empty if it was sent."""
    try:
        EmailMessage(subject, body, to=[to], headers={"Auto-Submitted": "auto-generated"}).send()
    except Exception as error:  # mail servers and missing ones raise many kinds
        log.warning("a mail about an account could not be sent", error=type(error).__name__)
        return " ".join(f"{type(error).__name__}: {error}".split())
    return ""


def send_later(sending: Callable[[], object]) -> "Future[object]":
    """Execute the sending beside the request, so that the time of the answer does not tell whether a mail is sent."""
    return _sender.submit(sending)
