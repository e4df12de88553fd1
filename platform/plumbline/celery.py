"""Celery, which wakes workers and runs the scheduler. The database says what is to be done and by whom."""

import os
import warnings
from contextlib import suppress
from ssl import SSLWantReadError
from typing import Any

from celery import Celery, signals
from celery.worker import loops
from celery.worker.consumer import Consumer

from plumbline import logs

LONGEST_WAIT_SECONDS = 2.0


class PatientConsumer(Consumer):
    """A consumer that retries a missing broker every two seconds. Celery's own pauses grow to 30 s."""

    def ensure_connected(self, conn: Any) -> Any:
        ask = conn.ensure_connection

        def often(*arguments: Any, **options: Any) -> Any:
            return ask(*arguments, **options, interval_start=0.5, interval_step=0.5, interval_max=LONGEST_WAIT_SECONDS)

        conn.ensure_connection = often
        return super().ensure_connected(conn)

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Suppress the repeated warning about a changing default, which our settings set explicitly."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            super().on_connection_error_after_connected(exc)


def _read_first_message(connection: Any, timeout: float = 0.1) -> None:
    """Read what a broker has sent since the worker subscribed; nothing within `timeout` seconds is no fault.

    Celery's own function also drops the broker's word that a queue was deleted. The worker would never hear again.
    """
    with suppress(TimeoutError, BlockingIOError, SSLWantReadError):
        connection.drain_events(timeout=timeout)


loops._quick_drain = _read_first_message

# Celery would have Django check all pages at the start of each worker and scheduler, which serve none.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("plumbline")
app.config_from_object("django.conf:settings", namespace="CELERY")


@signals.setup_logging.connect(weak=False)
def _our_own_logs(**_: Any) -> None:
    """Configure our own logs. Celery leaves logging to us if this signal has a receiver."""
    logs.configure()
