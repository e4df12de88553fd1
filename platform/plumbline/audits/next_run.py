"""Which run a worker serves next. The database is the queue: messages only wake workers up."""

from collections.abc import Collection

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When

from plumbline.audits import leases, request_kinds
from plumbline.audits.models import Phase, Run, Shard
from plumbline.audits.states import LIVE, Queue, WorkState


def next_run(queues: Collection[str], device: str, last: int | None = None, loaded: str = "") -> int | None:
    """The run that this worker should do a piece of; None when there is nothing for it.

    The most urgent first; among equals the one it did last, then one on the model that it has `loaded` (a digest),
    then the oldest. What asks the model of a run that was planned on another device is left to workers that have one.
    """
    fit = with_free_work(queues, fits(device))
    nearness = Case(When(pk=last, then=Value(0)), When(provenance__digest=loaded, then=Value(1)), default=Value(2))
    return fit.order_by("priority", nearness, "pk").values_list("pk", flat=True).first()


def fits(device: str) -> Q:
    """Runs whose model may be asked on a device: those that were planned there, or not yet."""
    return Q(provenance__device=device) | ~Q(provenance__has_key="device")


def with_free_work(queues: Collection[str], device_fits: Q | None = None) -> QuerySet[Run]:
    """Living runs of which a worker of these queues could take a piece at this moment."""
    free = Q(pk__in=[])
    for queue in queues:
        found = _free_in(queue)
        free |= found & device_fits if device_fits and queue == Queue.GPU else found
    return Run.objects.filter(free, state__in=LIVE, owner="")


def questions_wait() -> bool:
    """Whether a worker of the queue that asks models could take a question at this moment."""
    return any(rows.filter(leases.free()).exists() for rows in request_kinds.of_each_kind())


def _free_in(queue: str) -> Q:
    phases = Phase.objects.filter(leases.free(), run=OuterRef("pk"), sharded=False, queue=queue)
    shards = Shard.objects.filter(leases.free(), run=OuterRef("pk"), phase__state=WorkState.READY, phase__queue=queue)
    return Q(Exists(phases) | Exists(shards))
