"""The rounds of a run's batches: submit what is missing, poll until all have ended, and ask again for what failed."""

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Protocol

import structlog

from plumbline.audits import batches
from plumbline.audits.models import RequestBatch
from plumbline.spec.numbers import counted
from plumbline.spec.prices import Prices
from workers.engine.endpoints.batch_client import BatchClient, BatchError, BatchRefusedError, BatchState
from workers.engine.endpoints.batch_lines import in_files, request_line
from workers.engine.endpoints.chat_completion import without
from workers.engine.endpoints.remote import RemoteModel
from workers.execution.batch_results import Results

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds between two polls, which grow."""
UNBILLED = frozenset({"failed", "expired", "cancelled"})
"""The states of batches that are not billed for requests without a result."""

log = structlog.get_logger(__name__)


class Pauses(Protocol):
    """Pauses of the worker. Both raise LeaseLostError when the work is no longer its own."""

    def check(self) -> None: ...
    def wait(self, seconds: float) -> None: ...


class Rounds:
    """The batches of one run, until the replies to all `wanted` requests are stored."""

    def __init__(
        self,
        run: int,
        client: BatchClient,
        model: RemoteModel,
        wanted: Mapping[str, dict[str, Any]],
        prices: Prices | None,
        pauses: Pauses,
    ) -> None:
        self.run, self.client, self.model, self.prices, self.pauses = run, client, model, prices, pauses
        self.missing = dict(wanted)
        self.failed: Counter[str] = Counter()
        """How often each request was in a batch that did not answer it."""
        self.members: dict[int, list[str]] = {}
        """The requests of the batches that this process submitted."""

    def finish(self) -> None:
        """Read the batches that are open, from before too, and submit others until no reply is missing.

        Raises BatchError for a refusal, for a request that fails `attempts` times, and for an exhausted budget.
        """
        self._adopt()
        self._wait_for_all()
        while self.missing:
            if not self._submit():
                raise BatchError(self.model.account.exhausted())
            self._wait_for_all()

    def _adopt(self) -> None:
        """Find the batches whose ids were not stored when their worker was killed."""
        for batch in batches.open_batches(self.run):
            if batch.endpoint_id:
                continue
            if found := self.client.find(str(batch.key)):
                _store(batch, endpoint_id=found)
            else:
                batches.forget(batch)

    def _submit(self) -> bool:
        """Submit the missing requests that the budgets allow, in several batches if they are many."""
        names, left_out = list(self.missing), self.model.refused
        lines = [
            request_line(name, without(self.missing[name], left_out & self.missing[name].keys())) for name in names
        ]
        start = 0
        for size in in_files(lines):
            highest = self._highest(names[start : start + size])
            batch = batches.begin(self.run, highest, size, ", ".join(sorted(left_out)))
            if batch is None:
                break
            self._send(batch, names[start : start + batch.requests], lines[start : start + batch.requests])
            start += batch.requests
            if batch.requests < size:
                break
        return start > 0

    def _highest(self, names: list[str]) -> list[Decimal] | None:
        return [self.prices.highest(self.missing[name]) for name in names] if self.prices else None

    def _send(self, batch: RequestBatch, names: list[str], lines: list[bytes]) -> None:
        self.pauses.wait(0)
        try:
            _store(batch, endpoint_id=self.client.submit(str(batch.key), b"".join(lines)))
        except BatchRefusedError:
            batches.forget(batch)
            raise
        self.members[batch.pk] = names
        log.info("a batch is submitted", batch=batch.endpoint_id, requests=batch.requests)

    def _wait_for_all(self) -> None:
        """Poll the open batches with growing pauses, and read each that has ended."""
        pause, refusals = FIRST_PAUSE, list[str]()
        while opened := batches.open_batches(self.run):
            ended = [self._poll(batch, refusals) for batch in opened]
            if all(ended):
                break
            self.pauses.wait(pause)
            pause = min(LONGEST_PAUSE, 2 * pause)
        if refusals:
            raise BatchError(refusals[0])

    def _poll(self, batch: RequestBatch, refusals: list[str]) -> bool:
        state = self.client.state(batch.endpoint_id)
        if state is not None and not state.ended:
            _store(batch, answered=min(state.answered, batch.requests))
            return False
        results = Results(batch, self.model, self.missing, self.prices, self.pauses.check)
        read = results.read(self.client, state)
        batches.end(batch, results.unpaid(state is not None and state.status in UNBILLED))
        refusals += self._refusals(batch, state, results)
        log.info("a batch has ended", batch=batch.endpoint_id, status=state and state.status, answers=read)
        return True

    def _refusals(self, batch: RequestBatch, state: BatchState | None, results: Results) -> list[str]:
        """Return why the run cannot go on after a batch that has ended, as lines; none if it can."""
        named = f"{self.client.reference}: batch {batch.endpoint_id} of {counted(batch.requests, 'request')}"
        if state is None or results.gone:
            return [f"{named} is not at the endpoint any more: resume the run to ask again what it did not answer"]
        if state.status == "failed":
            why = state.why or "the endpoint gives no reason"
            return [f"{named} failed as a whole: {why}; mend that and resume the run, or leave out params.batch"]
        if state.status == "cancelled" and not batch.cancelled:
            return [f"{named} was cancelled at the endpoint: resume the run to ask what is missing; answers are kept"]
        if results.refused:
            return [f"{self.client.reference} refuses a request of a batch: {results.refused}; answers are kept"]
        return self._exhausted(named, batch, results)

    def _exhausted(self, named: str, batch: RequestBatch, results: Results) -> list[str]:
        """Count the requests without an answer, and return the line about those without attempts left."""
        unanswered = [name for name in self.members.get(batch.pk, []) if name in self.missing]
        self.failed.update(name for name in unanswered if name not in results.without_parameter)
        most = self.client.manner.attempts
        spent = [name for name in unanswered if self.failed[name] >= most]
        if not spent:
            return []
        why = results.failed.get(spent[0], "the batch has no line about it")
        return [
            f"{named}: {counted(len(spent), 'request')} got no answer in {most} batches ({why}): check the endpoint,"
            " then resume the run; answers are kept"
        ]


def cancelled(batch: RequestBatch, client: BatchClient) -> None:
    """Cancel a batch of a run that has ended. Its answers are read when the run is resumed."""
    _store(batch, cancelled=True)
    if batch.endpoint_id:
        client.cancel(batch.endpoint_id)


def _store(batch: RequestBatch, **fields: Any) -> None:
    for name, value in fields.items():
        setattr(batch, name, value)
    batch.save(update_fields=list(fields))
