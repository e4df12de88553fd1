"""The choice of the run that a worker serves next. The database is the queue, and messages only wake workers."""

from collections.abc import Collection

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When

from plumbline.audits import leases, request_kinds
from plumbline.audits.models import Phase, Run, Shard
from plumbline.audits.states import LIVE, Queue, WorkState


def next_run(queues: Collection[str], device: str, last: int | None = None, loaded: str = "") -> int | None:
    """Return the run that this worker should work on, or None.

    The most urgent run comes first, then the worker's `last` one, then one on the model that it has `loaded` (a
    digest), then the oldest. Work that asks a model goes to workers of the device on which the run was planned.
    """
    fit = with_free_work(queues, fits(device))
    nearness = Case(When(pk=last, then=Value(0)), When(provenance__digest=loaded, then=Value(1)), default=Value(2))
    return fit.order_by("priority", nearness, "pk").values_list("pk", flat=True).first()


def fits(device: str) -> Q:
    """Return the condition of runs whose model may run on a device: planned there, or not yet planned."""
    return Q(provenance__device=device) | ~Q(provenance__has_key="device")


def with_free_work(queues: Collection[str], device_fits: Q | None = None) -> QuerySet[Run]:
    """Return the live runs that have free work for a worker of these queues."""
    free = Q(pk__in=[])
    for queue in queues:
        found = _free_in(queue)
        free |= found & device_fits if device_fits and queue == Queue.GPU else found
    return Run.objects.filter(free, state__in=LIVE, owner="")


def questions_wait() -> bool:
    """Return whether there is a free question for a worker that asks models."""
    return any(rows.filter(leases.free()).exists() for rows in request_kinds.of_each_kind())


def _free_in(queue: str) -> Q:
    phases = Phase.objects.filter(leases.free(), run=OuterRef("pk"), sharded=False, queue=queue)
    shards = Shard.objects.filter(leases.free(), run=OuterRef("pk"), phase__state=WorkState.READY, phase__queue=queue)
    return Q(Exists(phases) | Exists(shards))
