"""A run whose requests go to its endpoint in batches: one worker asks for all waiting shards, and polls.

The other shards of the phase are kept from workers meanwhile, so only one worker is busy with waiting.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import cast

from django.db import Error

from plumbline.audits import batches, leases
from plumbline.audits.models import Run, Shard
from plumbline.audits.states import LIVE
from workers.engine.endpoints.batch_client import BatchClient, BatchError
from workers.engine.endpoints.remote import RemoteModel
from workers.execution.batch_requests import missing_of, missing_of_waiting
from workers.execution.batch_rounds import Rounds, cancelled
from workers.execution.heartbeat import Hold
from workers.execution.run_replies import known_prices
from workers.execution.worker import Work
from workers.probes.chat_replies import manner_of
from workers.probes.protocol import Memo

TICK_SECONDS = 1.0
"""Seconds between two looks at the lease, after which a cancelled run is noticed."""


def answer_in_batches(work: Work, phase: str, model: RemoteModel, memo: Memo, hold: Hold) -> None:
    """Let the endpoint answer all requests of the waiting shards, unless it has answered those of this one.

    Raises LeaseLostError when the run was cancelled, and then cancels its batches; also if another worker waits for
    the batches. Raises BatchError for what no attempt can mend.
    """
    shard = cast("Shard", hold.lease.row)
    if not missing_of(work, phase, model, memo, shard):
        return
    if not leases.is_first(hold.lease):
        _leave_to_first(hold)
    with _alone(hold), _client(work, model, hold) as client:
        wanted = missing_of_waiting(work, phase, model, memo, shard)
        pause = _Pauses(work, hold)
        try:
            Rounds(work.run.pk, client, model, wanted, known_prices(work), pause).finish()
        except (leases.LeaseLostError, BatchError):
            # A pause between attempts that a cancelled run cuts short ends with the endpoint's error.
            _cancel(work, model, client)
            raise


def _leave_to_first(hold: Hold) -> None:
    time.sleep(TICK_SECONDS)
    leases.give_back(hold.lease)
    raise leases.LeaseLostError(f"another worker asks for {hold.lease.what}")


@contextmanager
def _alone(hold: Hold) -> Iterator[None]:
    try:
        yield
    finally:
        # If the database is away, the shards are free again when the time of a lease is over.
        with suppress(Error):
            leases.free_rest(hold.lease)


def _client(work: Work, model: RemoteModel, hold: Hold) -> BatchClient:
    return BatchClient(model, manner_of(work.spec.params), hold.lost)  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class _Pauses:
    """Pauses between polls, within which a lost lease is noticed."""

    work: Work
    hold: Hold

    def check(self) -> None:
        """Raise LeaseLostError if a heartbeat found the lease lost, without a query."""
        self.hold.check()

    def wait(self, seconds: float) -> None:
        """Sleep, and keep the other shards from workers. Raises LeaseLostError."""
        until = time.monotonic() + seconds
        while True:
            if not leases.renew(self.hold.lease):
                raise leases.LeaseLostError(f"the lease of {self.hold.lease.what} was lost")
            leases.hold_rest(self.hold.lease, self.work.worker.name)
            if (left := until - time.monotonic()) <= 0:
                return
            time.sleep(min(TICK_SECONDS, left))


def _cancel(work: Work, model: RemoteModel, client: BatchClient) -> None:
    """Cancel the batches of a run that has ended. A run that goes on in another worker keeps them."""
    if Run.objects.filter(pk=work.run.pk, state__in=LIVE).exists():
        return
    for batch in batches.open_batches(work.run.pk):
        cancelled(batch, client)
