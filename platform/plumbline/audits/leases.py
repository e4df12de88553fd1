"""Leases of work. Each change is one conditional UPDATE. Losing the race is a normal result."""

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

IMPOSSIBLE = 10
"""A lease that ends after this many times LEASE_SECONDS was taken before the server's clock was set back."""

REST_HELD = 4
"""The number of LEASE_SECONDS for which shards are kept from workers while one of them acts for all."""


class LeaseLostError(RuntimeError):
    """The lease was lost: another worker has the work, or the run was cancelled. The result must not be written."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease: its token, and the row as it was when leased."""

    row: Leased
    token: UUID

    @property
    def what(self) -> str:
        """The work as text: `planning`, `shard 12`."""
        return f"shard {self.row.number}" if isinstance(self.row, Shard) else getattr(self.row, "name", "")

    def same(self) -> QuerySet[Leased]:
        """Return the row if it still has this token."""
        return type(self.row)._default_manager.filter(pk=self.row.pk, token=self.token)


def _end(leases: int = 1) -> CombinedExpression:
    return ClockTimestamp() + Value(leases * timedelta(seconds=settings.LEASE_SECONDS))


def held() -> Q:
    """Return the condition of a lease that has not ended, and that the server's clock makes possible."""
    return Q(lease_until__gte=ClockTimestamp(), lease_until__lte=_end(IMPOSSIBLE))


def _unheld() -> Q:
    return Q(state=WorkState.READY) & (Q(lease_until__isnull=True) | ~held())


def free() -> Q:
    """Return the condition of work that may be leased: ready, not leased, and with attempts left."""
    return _unheld() & Q(attempts__lt=MOST_ATTEMPTS)


def spent() -> Q:
    """Return the condition of work that can never be leased again: not leased, and without attempts left."""
    return _unheld() & Q(attempts__gte=MOST_ATTEMPTS)


def _lease(rows: QuerySet[Leased], worker: str) -> UUID | None:
    token = uuid4()
    taken = rows.filter(free()).update(token=token, leased_by=worker, lease_until=_end(), attempts=F("attempts") + 1)
    return token if taken else None


def is_first(lease: Lease) -> bool:
    """Return whether no shard before the leased one is undone, which holds for one worker of a phase at a time."""
    shard = lease.row
    assert isinstance(shard, Shard)  # noqa: S101 -- phases without shards have no first one
    before = Shard.objects.filter(phase=shard.phase_id, state=WorkState.READY, number__lt=shard.number)
    return not before.exists()


def hold_rest(lease: Lease, worker: str) -> None:
    """Keep the other free shards of the phase from workers for some leases' time. It counts as no attempt.

    It may be called often, since it changes a shard only when little of that time is left.
    """
    ending = Q(lease_until=None) | Q(lease_until__lt=_end(REST_HELD // 2))
    _of_phase(lease).filter(ending).update(leased_by=worker, lease_until=_end(REST_HELD))


def free_rest(lease: Lease) -> None:
    """Let workers take the shards that `hold_rest` kept from them."""
    _of_phase(lease).update(leased_by="", lease_until=None)


def _of_phase(lease: Lease) -> QuerySet[Any]:
    """Return the undone shards of the phase that no worker has."""
    return Shard.objects.filter(phase=vars(lease.row)["phase_id"], state=WorkState.READY, token=None)


def take_phase(phase: Phase, worker: str) -> Lease | None:
    """Lease an unsharded phase (planning, summary). Returns None if another worker has it."""
    token = _lease(Phase.objects.filter(pk=phase.pk), worker)
    return Lease(phase, token) if token else None


def take_next_shard(phase: Phase, worker: str) -> Lease | None:
    """Lease the next free shard of a phase."""
    return take_first(Shard.objects.filter(phase=phase, phase__state=WorkState.READY).order_by("number"), worker)


@transaction.atomic
def take_first(rows: QuerySet[Any], worker: str) -> Lease | None:
    """Lease the first free row of these. Rows that other workers are leasing now are skipped."""
    _without_waiting_for_the_disk()
    row = rows.select_for_update(skip_locked=True, of=("self",)).filter(free()).first()
    token = _lease(type(row)._default_manager.filter(pk=row.pk), worker) if row else None
    return Lease(row, token) if row and token else None


def _without_waiting_for_the_disk() -> None:
    """Commit without waiting for the disk.

    A lease that a server crash undoes is free again, and its work is refused.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit TO off")


def exhausted_work(phase: Phase) -> str:
    """Return the work of a phase that has no attempts left and no worker, or "".

    Call it in a transaction. Locked rows are skipped: a worker is writing their results.
    """
    if not phase.sharded:
        held = Phase.objects.select_for_update(skip_locked=True).filter(spent(), pk=phase.pk)
        return f"the phase {phase.name}" if held.first() else ""
    shards = Shard.objects.select_for_update(skip_locked=True).filter(spent(), phase=phase)
    number = shards.order_by("number").values_list("number", flat=True).first()
    return "" if number is None else f"shard {number}"


def renew(lease: Lease) -> bool:
    """Extend a lease. Returns False if it was taken over or cleared, or its run has ended."""
    rows: QuerySet[Any] = _held(lease)
    if isinstance(lease.row, Phase | Shard):
        rows = rows.filter(run__state__in=LIVE)
    return bool(rows.update(lease_until=_end()))


def give_back(lease: Lease) -> None:
    """Release a lease after a clean stop. The attempt does not count."""
    _held(lease).update(**_UNLEASED, attempts=F("attempts") - 1)


def drop(lease: Lease) -> None:
    """Release a lease after an error in the work. The attempt counts."""
    _held(lease).update(**_UNLEASED)


def attempts(lease: Lease) -> int:
    """Return the number of attempts. Raises LeaseLostError if another worker has the work."""
    found = _held(lease).values_list("attempts", flat=True).first()
    if found is None:
        raise LeaseLostError(f"the lease of {lease.what} was lost")
    return found


def release_dead_work() -> int:
    """Release the work of this host's dead processes before their leases end. Returns the number of rows."""
    held = (work._default_manager.filter(run__state__in=LIVE, run__owner="") for work in (Phase, Shard))
    return sum(map(release_dead, held))


def release_dead(rows: QuerySet[Any]) -> int:
    """Release those of the rows that dead processes of this host hold. Returns their number."""
    held = rows.filter(state=WorkState.READY, token__isnull=False)
    gone = [name for name in held.values_list("leased_by", flat=True).distinct() if is_gone(name)]
    return held.filter(leased_by__in=gone).update(**_UNLEASED)


_UNLEASED: dict[str, Any] = {"token": None, "leased_by": "", "lease_until": None}


def _held(lease: Lease) -> QuerySet[Leased]:
    return lease.same().filter(state=WorkState.READY)


def finish(lease: Lease, seconds: float) -> bool:
    """Mark the work as done, as the first statement of the transaction that ends it.

    Returns True if the caller must write the results, False if this lease already ended the work (a retry after a lost
    COMMIT). Raises LeaseLostError if another worker has the work.
    """
    rows = lease.same()
    if rows.exclude(state=WorkState.DONE).update(
        state=WorkState.DONE, seconds=seconds, done_at=ClockTimestamp(), lease_until=None
    ):
        return True
    if rows.filter(state=WorkState.DONE).exists():
        return False
    raise LeaseLostError(f"{lease.what} was taken over or cancelled; its result is dropped")
