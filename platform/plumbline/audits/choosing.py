"""Which run a worker serves next. The database is the queue: messages only wake workers up."""

from collections.abc import Collection

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When

from plumbline.audits import leases
from plumbline.audits.models import Phase, Run, Shard
from plumbline.audits.states import LIVE, WorkState


def next_run(queues: Collection[str], device: str, last: int | None = None, loaded: str = "") -> int | None:
    """The run that this worker should do a piece of; None when there is nothing for it.

    The most urgent first; among equals the one it did last, then one on the model that it has `loaded` (a digest),
    then the oldest. A run that was planned for another device is left to the workers that have one.
    """
    fit = with_free_work(queues).filter(Q(provenance__device=device) | ~Q(provenance__has_key="device"))
    nearness = Case(When(pk=last, then=Value(0)), When(provenance__digest=loaded, then=Value(1)), default=Value(2))
    return fit.order_by("priority", nearness, "pk").values_list("pk", flat=True).first()


def with_free_work(queues: Collection[str]) -> QuerySet[Run]:
    """Living runs of which a worker of these queues could take a piece at this moment."""
    phases = Phase.objects.filter(leases.free(), run=OuterRef("pk"), sharded=False, queue__in=queues)
    shards = Shard.objects.filter(
        leases.free(), run=OuterRef("pk"), phase__state=WorkState.READY, phase__queue__in=queues
    )
    return Run.objects.filter(Exists(phases) | Exists(shards), state__in=LIVE, owner="")
