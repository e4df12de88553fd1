"""Leases: who may do a piece of work. Each change is one conditional UPDATE; losing the race is a normal answer."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet, Value
from django.db.models.expressions import CombinedExpression

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import MOST_ATTEMPTS, Leased, Phase, Shard
from plumbline.audits.ownership import is_gone
from plumbline.audits.states import LIVE, WorkState


class LeaseLostError(RuntimeError):
    """Another worker holds this work now, or the run was cancelled: its result must not be written."""


@dataclass(frozen=True, slots=True)
class Lease:
    """`row`: the work as it was when it was taken."""

    row: Leased
    token: UUID

    @property
    def what(self) -> str:
        """`planning`, `shard 12`."""
        return f"shard {self.row.number}" if isinstance(self.row, Shard) else getattr(self.row, "name", "")

    def same(self) -> QuerySet[Leased]:
        """The row as long as the token is on it."""
        return type(self.row)._default_manager.filter(pk=self.row.pk, token=self.token)


def _end() -> CombinedExpression:
    return ClockTimestamp() + Value(timedelta(seconds=settings.LEASE_SECONDS))


def _unheld() -> Q:
    return Q(state=WorkState.READY) & (Q(lease_until__isnull=True) | Q(lease_until__lt=ClockTimestamp()))


def free() -> Q:
    """What may be leased: ready, in nobody's hands, and not begun too often."""
    return _unheld() & Q(attempts__lt=MOST_ATTEMPTS)


def spent() -> Q:
    """What can never be leased again: begun too often, and in nobody's hands."""
    return _unheld() & Q(attempts__gte=MOST_ATTEMPTS)


def _lease(rows: QuerySet[Leased], worker: str) -> UUID | None:
    token = uuid4()
    taken = rows.filter(free()).update(token=token, leased_by=worker, lease_until=_end(), attempts=F("attempts") + 1)
    return token if taken else None


def take_phase(phase: Phase, worker: str) -> Lease | None:
    """Lease an unsharded phase (planning, summary); None when somebody else has it."""
    token = _lease(Phase.objects.filter(pk=phase.pk), worker)
    return Lease(phase, token) if token else None


def take_next_shard(phase: Phase, worker: str) -> Lease | None:
    """Lease the next free shard of a phase."""
    return take_first(Shard.objects.filter(phase=phase, phase__state=WorkState.READY).order_by("number"), worker)


@transaction.atomic
def take_first(rows: QuerySet[Any], worker: str) -> Lease | None:
    """Lease the first of these rows that is free, past those that other workers are taking at this moment."""
    _without_waiting_for_the_disk()
    row = rows.select_for_update(skip_locked=True, of=("self",)).filter(free()).first()
    token = _lease(type(row)._default_manager.filter(pk=row.pk), worker) if row else None
    return Lease(row, token) if row and token else None


def _without_waiting_for_the_disk() -> None:
    """A lease that a crash of the server undoes is free again, and what was done under it is refused."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit TO off")


def worn_out(phase: Phase) -> str:
    """What of a phase can never be leased again, its attempts used up and nobody on it; empty when there is nothing.

    In a transaction. A row that is locked is in somebody's hands: its work is just being written.
    """
    if not phase.sharded:
        held = Phase.objects.select_for_update(skip_locked=True).filter(spent(), pk=phase.pk)
        return f"the phase {phase.name}" if held.first() else ""
    shards = Shard.objects.select_for_update(skip_locked=True).filter(spent(), phase=phase)
    number = shards.order_by("number").values_list("number", flat=True).first()
    return "" if number is None else f"shard {number}"


def renew(lease: Lease) -> bool:
    """Extend a lease that is still ours; False when it was taken over or cleared, or its run has ended."""
    rows: QuerySet[Any] = _held(lease)
    if isinstance(lease.row, Phase | Shard):
        rows = rows.filter(run__state__in=LIVE)
    return bool(rows.update(lease_until=_end()))


def give_back(lease: Lease) -> None:
    """A clean stop: the work is free again and the attempt does not count."""
    _held(lease).update(**_UNLEASED, attempts=F("attempts") - 1)


def drop(lease: Lease) -> None:
    """The work is free again, but the attempt counts: it was the work that went wrong."""
    _held(lease).update(**_UNLEASED)


def attempts(lease: Lease) -> int:
    """How often this work was begun. LeaseLostError when it is somebody else's now."""
    found = _held(lease).values_list("attempts", flat=True).first()
    if found is None:
        raise LeaseLostError(f"the lease of {lease.what} was lost")
    return found


def release_gone() -> int:
    """Free what processes of this host held that live no more, before their leases end; how many pieces of work."""
    held = (work._default_manager.filter(run__state__in=LIVE, run__owner="") for work in (Phase, Shard))
    return sum(map(free_of_the_gone, held))


def free_of_the_gone(rows: QuerySet[Any]) -> int:
    """Free those of these rows that processes of this host hold which live no more; how many."""
    held = rows.filter(state=WorkState.READY, token__isnull=False)
    gone = [name for name in held.values_list("leased_by", flat=True).distinct() if is_gone(name)]
    return held.filter(leased_by__in=gone).update(**_UNLEASED)


_UNLEASED: dict[str, Any] = {"token": None, "leased_by": "", "lease_until": None}


def _held(lease: Lease) -> QuerySet[Leased]:
    return lease.same().filter(state=WorkState.READY)


def finish(lease: Lease, seconds: float) -> bool:
    """First statement of the transaction that ends the work.

    True: go on and write. False: this very lease already ended it (a retry after a lost COMMIT); write nothing.
    LeaseLostError: the work belongs to somebody else now.
    """
    rows = lease.same()
    if rows.exclude(state=WorkState.DONE).update(
        state=WorkState.DONE, seconds=seconds, done_at=ClockTimestamp(), lease_until=None
    ):
        return True
    if rows.filter(state=WorkState.DONE).exists():
        return False
    raise LeaseLostError(f"{lease.what} was taken over or cancelled; its result is dropped")
