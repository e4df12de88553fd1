"""Celery: wakes workers and keeps time. What is to be done, and who does it, stands in the database."""

import warnings
from typing import Any

from celery import Celery, signals
from celery.worker.consumer import Consumer

from plumbline import logs

LONGEST_WAIT_SECONDS = 2.0


class PatientConsumer(Consumer):
    """Asks a broker that is away every two seconds, however long it stays away; Celery's own pauses grow to 30 s."""

    def ensure_connected(self, conn: Any) -> Any:
        ask = conn.ensure_connection

        def often(*arguments: Any, **options: Any) -> Any:
            return ask(*arguments, **options, interval_start=0.5, interval_step=0.5, interval_max=LONGEST_WAIT_SECONDS)

        conn.ensure_connection = often
        return super().ensure_connected(conn)

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Without the warning, at each loss, that a default will change which we have set."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            super().on_connection_error_after_connected(exc)


app = Celery("plumbline")
app.config_from_object("django.conf:settings", namespace="CELERY")


@signals.setup_logging.connect(weak=False)
def _our_own_logs(**_: Any) -> None:
    """Celery leaves the log to us once somebody listens here."""
    logs.configure()
