"""Figures about the operation, as the database has them at the time of a scrape.

Each is one query by an index, so that a scrape takes milliseconds on a large installation. All processes of the web
server give the same answer, since none of them counts anything itself.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Count, F, Min, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from plumbline.audits import clock, leases, presence
from plumbline.audits.models import Notice, Phase, Role, Run, Shard, WorkerState
from plumbline.audits.queue.next_run import with_free_work
from plumbline.audits.states import LIVE, Priority, Queue, RunState, WorkState

PERIOD = timedelta(minutes=5)
"""The period of rates."""
LEASED = "leased"
"""The state of a ready shard that a worker holds."""

Counts = Mapping[str, int]


def runs_by_state() -> Counts:
    return _all(RunState.values, Run.objects.order_by().values_list("state").annotate(Count("pk")))


def queue_by_priority() -> Counts:
    """Count the runs with work that a worker may take."""
    waiting = (
        with_free_work(tuple(Queue.values)).order_by().values_list("priority").annotate(Count("pk", distinct=True))
    )
    named = {Priority(priority).name.lower(): count for priority, count in waiting}
    return {one.name.lower(): named.get(one.name.lower(), 0) for one in Priority}


def oldest_waiting_seconds() -> float:
    """Return the age of the oldest run that no worker has begun, or 0."""
    waiting = Run.objects.filter(state__in=LIVE, started_at=None, owner="")
    oldest = waiting.aggregate(oldest=Min("created_at"))["oldest"]
    return max(0.0, (clock.now() - oldest).total_seconds()) if oldest else 0.0


def shards_by_state() -> Counts:
    """Count the shards of unfinished runs. Those of finished ones are all done."""
    phases = Phase.objects.filter(run__in=_unfinished(), sharded=True).order_by().values("pk")
    counted = Shard.objects.filter(phase__in=phases).order_by().values_list("state").annotate(Count("phase"))
    leased = _with_token(Shard).filter(leases.held()).count()
    found = _all(WorkState.values, counted)
    return {**found, WorkState.READY.value: found[WorkState.READY] - leased, LEASED: leased}


def records_per_second() -> float:
    """Return how many records the shards have that were done in the last five minutes, a second."""
    # A time that is computed in the query would change from row to row, and no index could find it.
    lately = Shard.objects.filter(done_at__gt=clock.now() - PERIOD)
    written = lately.aggregate(rows=Coalesce(Sum("size"), 0))["rows"]
    return float(written) / PERIOD.total_seconds()


def begun_again() -> Counts:
    """Count how often work was begun again: its lease was lost, or the attempt failed. By kind of work."""
    return {
        name: work.objects.filter(attempts__gt=1).aggregate(more=Coalesce(Sum(F("attempts") - 1), 0))["more"]
        for name, work in (("shard", Shard), ("phase", Phase))
    }


def overdue_leases() -> int:
    """Count the leases of unfinished runs that ended without a result and that nobody has taken over."""
    return sum(_with_token(work).exclude(leases.held()).count() for work in (Shard, Phase))


def workers_by_state() -> Counts:
    return _all(WorkerState.values, presence.alive().order_by().values_list("state").annotate(Count("pk")))


def schedulers_alive() -> int:
    return presence.alive(Role.SCHEDULER).count()


def mail_by_state() -> Counts:
    """Count the notices that wait, and those that were given up. Sent ones are of no interest here."""
    given_up = Count("pk", filter=Q(retry_at=None))
    return Notice.objects.filter(sent_at=None).aggregate(waiting=Count("pk") - given_up, failed=given_up)


def _unfinished() -> QuerySet[Run, int]:
    return Run.objects.filter(state__in=LIVE).order_by().values_list("pk", flat=True)


def _with_token(work: type[Shard] | type[Phase]) -> QuerySet[Any]:
    """Return the work of unfinished runs that has a lease, perhaps one that has ended. It has an index of its own."""
    return work._default_manager.filter(state=WorkState.READY, token__isnull=False, run__in=_unfinished())


def _all(states: list[str], counted: QuerySet[Any, Any]) -> Counts:
    """Return a count for each state, so that no series ends when there is nothing to count."""
    found = dict(counted)
    return {state: found.get(state, 0) for state in states}
