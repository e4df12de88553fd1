"""The runs whose findings are to be written: finished ones without, with a newer summary, or after a failure.

A run never fails because of its findings. The sweep repeats this, and pages show what could not be written.
"""

from datetime import UTC, datetime, timedelta

import structlog
from django.db import Error, connection
from django.db.models import DateTimeField, F, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import ComparisonRequest, Phase, Run
from plumbline.audits.states import RunState, WorkState
from plumbline.findings.models import Update
from plumbline.findings.updating import summarised_at, update

MOST_AT_ONCE = 5
"""The most runs in one sweep. The scheduler has other work, and the rest waits for the next sweep."""
MOST_ATTEMPTS = 6
_NEVER = Value(datetime(1970, 1, 1, tzinfo=UTC), output_field=DateTimeField())

log = structlog.get_logger(__name__)


def write_due(most: int = MOST_AT_ONCE) -> int:
    """Write the findings of due runs, the oldest first. Returns the number of runs."""
    runs = list(due().order_by("pk")[:most])
    return sum(write(run) for run in runs)


def due() -> QuerySet[Run]:
    """Return the runs whose findings are missing or older than their summary or than a comparison with their run."""
    summary = Phase.objects.filter(run=OuterRef("pk"), name="summary").values("done_at")[:1]
    done = ComparisonRequest.objects.filter(second=OuterRef("pk"), state=WorkState.DONE).order_by()
    compared = done.values("second").annotate(at=Max("done_at")).values("at")
    finished = Run.objects.top_level().filter(state=RunState.DONE)
    known = finished.annotate(
        summary_at=Coalesce(Subquery(summary), _NEVER),
        compared_at=Coalesce(Subquery(compared), _NEVER),
        known_at=Coalesce("findings_update__summarised_at", _NEVER),
        written_at=Coalesce("findings_update__written_at", _NEVER),
    )
    fresh = Q(findings_update__isnull=True) | ~Q(known_at=F("summary_at"))
    compared_since = Q(findings_update__error="", compared_at__gt=F("written_at"))
    again = Q(findings_update__retry_at__lte=ClockTimestamp())
    return known.filter(fresh | compared_since | again)


def write(run: Run) -> bool:
    """Write the findings of a run and return whether that succeeded. A failure is kept and tried again later."""
    try:
        update(run)
    except Exception as error:
        if isinstance(error, Error) and not connection.is_usable():
            raise
        log.exception("the findings of a run could not be written; the sweep tries again", run=run.pk)
        _failed(run, " ".join(f"{type(error).__name__}: {error}".split()))
        return False
    return True


def _failed(run: Run, why: str) -> None:
    made, _ = Update.objects.get_or_create(run=run)
    attempts = made.attempts + 1
    again = None if attempts >= MOST_ATTEMPTS else ClockTimestamp() + Value(pause_after(attempts))
    fields = {"error": why, "attempts": attempts, "retry_at": again, "summarised_at": summarised_at(run)}
    Update.objects.filter(pk=run.pk).update(**fields)


def pause_after(attempt: int) -> timedelta:
    """Return the pause after an attempt: 1 minute, then 4, 16, 64 and 256."""
    return timedelta(minutes=4 ** (attempt - 1))
