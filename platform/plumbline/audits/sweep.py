"""The sweep: whatever was lost between two steps is found again here. Safe to repeat, by anyone at any time."""

import structlog
from django.db import Error, connection

from plumbline.audits import hints, leases, life, notices, presence, questions
from plumbline.audits.models import Run
from plumbline.audits.states import LIVE

log = structlog.get_logger(__name__)


def sweep() -> None:
    """Free what the dead held, advance what nobody advanced, end what cannot end, wake who is idle, send notices."""
    presence.bury()
    if freed := leases.release_gone():
        log.info("freed the work of processes that are gone", pieces=freed)
    for run_id in Run.objects.filter(state__in=LIVE, owner="").order_by("pk").values_list("pk", flat=True):
        _look_after(run_id)
    questions.look_after()
    hints.wake()
    notices.send_due()


def _look_after(run_id: int) -> None:
    """What is wrong with one run must not keep the others waiting."""
    try:
        life.advance(run_id)
        if worn_out := life.end_if_worn_out(run_id, of=""):
            log.error("a run ends: its work kills its workers", run=run_id, work=worn_out)
    except Error:
        if not connection.is_usable():
            raise
        log.exception("a run could not be looked after; the next sweep tries again", run=run_id)
