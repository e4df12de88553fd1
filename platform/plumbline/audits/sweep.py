"""The sweep, which recovers everything that was lost between two steps. Anyone may repeat it at any time."""

import structlog
from django.db import Error, connection
from django.dispatch import Signal

from plumbline.audits import leases, life, presence, questions, server_shares, worker_messages
from plumbline.audits.mail import followers, notices
from plumbline.audits.models import Run
from plumbline.audits.states import LIVE

swept = Signal()
"""Sent at the end of each sweep. Higher rooms connect what they repeat until it is done."""

log = structlog.get_logger(__name__)


def sweep() -> None:
    """Release dead processes' work, advance runs, end runs that cannot finish, wake idle workers and send notices."""
    presence.remove_dead()
    if freed := leases.release_dead_work():
        log.info("freed the work of processes that are gone", pieces=freed)
    for run_id in Run.objects.filter(state__in=LIVE, owner="").order_by("pk").values_list("pk", flat=True):
        _look_after(run_id)
    questions.look_after()
    worker_messages.wake()
    followers.write_end_notices()
    notices.send_due()
    server_shares.forget()
    swept.send_robust(sender=None)


def _look_after(run_id: int) -> None:
    """Advance one run and end it if it cannot finish. An error in one run must not block the others."""
    try:
        life.advance(run_id)
        if exhausted_work := life.end_if_exhausted(run_id, of=""):
            log.error("a run ends: its work kills its workers", run=run_id, work=exhausted_work)
    except Error:
        if not connection.is_usable():
            raise
        log.exception("a run could not be looked after; the next sweep tries again", run=run_id)
