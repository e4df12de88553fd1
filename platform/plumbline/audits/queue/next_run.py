"""The choice of the run that a worker serves next. The database is the queue, and messages only wake workers."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When

from plumbline.audits import leases, request_kinds
from plumbline.audits.models import Phase, Run, Shard
from plumbline.audits.queue.fair_order import in_order
from plumbline.audits.states import LIVE, Queue, WorkState


@dataclass(frozen=True, slots=True)
class Near:
    """What a worker is near to: its last run, that run's person, and the digest of its loaded model."""

    run: int | None = None
    person: int | None = None
    digest: str = ""


FAR = 3
"""The nearness of a run that is not near. Of near runs, the lowest comes first."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen run, its person, and whether it is near."""

    run: int
    person: int | None
    near: bool


def choose(queues: Collection[str], device: str, near: Near | None = None) -> Choice | None:
    """Return the run that this worker should work on, or None.

    The most urgent run comes first, then one that a person moved to the front, then a near one, then the fair order.
    Work that asks a model goes to workers of the device on which the run was planned.
    """
    fit = with_free_work(queues, fits(device)).annotate(nearness=_nearness(near or Near()))
    ordered: Any = in_order(fit, "nearness")
    found = ordered.values("pk", "created_by", "nearness").first()
    return None if found is None else Choice(found["pk"], found["created_by"], near=found["nearness"] < FAR)


def _nearness(near: Near) -> Case:
    """Rank the last run, then what its person has for the same model or has not planned, then others for that model.

    To plan a run loads no model, so it does not unload that of the worker.
    """
    same_model = Q(provenance__digest=near.digest) if near.digest else Q(pk__in=[])
    mine = Q(created_by=near.person) if near.person else Q(created_by__isnull=True)
    return Case(
        When(pk=near.run, then=Value(0)),
        When(mine & (same_model | ~Q(provenance__has_key="digest")), then=Value(1)),
        When(same_model, then=Value(2)),
        default=Value(FAR),
    )


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
    return any(rows.filter(leases.free()).exists() for rows in request_kinds.of_open_kinds())


def _free_in(queue: str) -> Q:
    phases = Phase.objects.filter(leases.free(), run=OuterRef("pk"), sharded=False, queue=queue)
    shards = Shard.objects.filter(leases.free(), run=OuterRef("pk"), phase__state=WorkState.READY, phase__queue=queue)
    return Q(Exists(phases) | Exists(shards))
