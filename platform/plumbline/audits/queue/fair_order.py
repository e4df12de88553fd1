"""The order in which runs of one priority are served: first the person whose runs had the least worker time.

Nobody can save up time. Who has had more than `MOST_CREDIT_SECONDS` less than the busiest counts as having had just so
much less. So a run of the busiest person waits at most until each other waiting person had that much, and a turn. Among
runs of persons with equal time, the one that has waited longest comes first.
"""

from typing import Any

from django.db.models import F, FloatField, Max, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Greatest

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import NO_PERSON, Run, WorkerTime

MOST_CREDIT_SECONDS = 60.0


def in_order(runs: QuerySet[Run], *before_fairness: str) -> QuerySet[Run]:
    """Order runs by priority, by the places that people gave them, by the annotations named, then fairly."""
    person = Coalesce(OuterRef("created_by_id"), Value(NO_PERSON))
    had = Subquery(WorkerTime.objects.filter(person=person).values("seconds")[:1])
    fair = runs.annotate(
        had=Greatest(Coalesce(had, Value(0.0)), Value(_least()), output_field=FloatField()),
        waits_since=Coalesce("served_at", "created_at"),
    )
    return fair.order_by("priority", F("place").asc(nulls_last=True), *before_fairness, "had", "waits_since", "pk")


def charge(run_id: int, person: int | None, seconds: float) -> None:
    """Record that a worker worked on a run for some seconds. The run's person is charged."""
    Run.objects.filter(pk=run_id).update(served_at=ClockTimestamp())
    account = person or NO_PERSON
    had: Any = Greatest(F("seconds"), Value(_least())) + Value(seconds)
    WorkerTime.objects.get_or_create(person=account)
    WorkerTime.objects.filter(person=account).update(seconds=had)


def _least() -> float:
    """Return the worker time that everybody counts as having had."""
    most = WorkerTime.objects.aggregate(most=Max("seconds"))["most"] or 0.0
    return max(0.0, most - MOST_CREDIT_SECONDS)
