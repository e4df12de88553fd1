"""The deletion of all runs before a date: first what would go and what stays, then run by run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from django.db import connection, transaction
from django.db.models.functions import Coalesce

from plumbline.audits.keeping import reasons_to_keep_by_date
from plumbline.audits.models import Run
from plumbline.results.sizes import Size, size_of

LOCK_WAIT = "5s"
"""How long a deletion waits for queries that read the tables. Later queries queue behind it meanwhile."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Past:
    """One run before the date: what it holds, and why it is kept; without a reason it goes."""

    run: Run
    size: Size
    reasons: Sequence[str]


def before(moment: datetime) -> list[Past]:
    """Return the runs that ended before a moment, or began before it and never ended, the oldest first."""
    dated = Run.objects.top_level().alias(ended=Coalesce("finished_at", "created_at"))
    runs = dated.filter(ended__lt=moment).order_by("pk")
    return [Past(run, size_of(_with_added_words(run)), reasons_to_keep_by_date(run)) for run in runs]


def delete(runs: Sequence[Run]) -> Iterator[tuple[int, Sequence[str]]]:
    """Delete runs one after the other, each in its own transaction. Yields each with the reasons that now keep it."""
    for run in runs:
        number = run.pk
        yield number, _deleted(number)


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
