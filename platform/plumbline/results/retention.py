"""The deletion of all runs before a date: first what would go and what stays, then run by run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

import structlog
from django.db import OperationalError, connection, transaction
from django.db.models.functions import Coalesce

from plumbline.audits import clock
from plumbline.audits.keeping import reasons_to_keep_by_date
from plumbline.audits.models import Run
from plumbline.results.sizes import Size, size_of
from plumbline.spec.errors import InputError, shown

LOCK_WAIT = "5s"
"""How long a deletion waits for queries that read the tables. Later queries queue behind it meanwhile."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Past:
    """One run before the date: what it holds, and why it is kept; without a reason it goes."""

    run: Run
    size: Size
    reasons: Sequence[str]

    @property
    def ended(self) -> datetime:
        """When it ended, or when it was launched if it never did."""
        return self.run.finished_at or self.run.created_at


def day(text: str) -> datetime:
    """Return the beginning of a day (UTC). Raises InputError for a text that is none, and for a day to come."""
    try:
        moment = datetime.combine(date.fromisoformat(text), time(), UTC)
    except ValueError:
        raise InputError(f"{shown(text)} is no date: write it as 2026-01-31.") from None
    if moment > clock.now():
        raise InputError(f"{text} is in the future: name a day that has begun.")
    return moment


def before(moment: datetime) -> Iterator[Past]:
    """Yield the runs that ended before a moment, or began before it and never ended, the oldest first."""
    dated = Run.objects.top_level().alias(ended=Coalesce("finished_at", "created_at"))
    for run in dated.filter(ended__lt=moment).order_by("pk"):
        yield Past(run, size_of(_with_added_words(run)), reasons_to_keep_by_date(run))


def delete(runs: Sequence[Run]) -> Iterator[tuple[int, Sequence[str]]]:
    """Delete runs one after the other, each in its own transaction. Yields each with the reasons that now keep it.

    Raises InputError if a query holds the tables for longer than LOCK_WAIT.
    """
    for run in runs:
        number = run.pk
        try:
            reasons = _deleted(number)
        except OperationalError as error:
            if "lock timeout" not in str(error):
                raise
            raise InputError(
                f"a query read the tables for more than {LOCK_WAIT}, so run {number} and later ones stay: try again."
            ) from None
        yield number, reasons


@transaction.atomic
def _deleted(number: int) -> Sequence[str]:
    """Delete a run, unless somebody deleted it or something came to rest on it since it was shown."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [LOCK_WAIT])
    run = Run.objects.select_for_update().filter(pk=number).first()
    if run is None:
        return ["somebody deleted it meanwhile"]
    if reasons := reasons_to_keep_by_date(run):
        return reasons
    run.delete()
    log.info("deleted a run by date", run=number, name=run.name, model=run.model)
    return []


def _with_added_words(run: Run) -> list[int]:
    """Return the run and the small runs of its added words, which go with it."""
    return [run.pk, *run.added_words.values_list("small", flat=True)]
