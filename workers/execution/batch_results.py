"""The results of one batch: each reply is stored as its line is read."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import partial
from typing import Any

import structlog

from plumbline.audits import batches
from plumbline.audits.models import RequestBatch
from plumbline.spec.answers.reply import Reply
from plumbline.spec.prices import Prices
from workers.engine.endpoints.batch_client import BatchClient, BatchGoneError, BatchState
from workers.engine.endpoints.batch_lines import OK, Result, result_in
from workers.engine.endpoints.chat_completion import refused_parameter, reply_in, without
from workers.engine.endpoints.remote import REFUSING, RemoteModel
from workers.engine.endpoints.retries import PASSING

log = structlog.get_logger(__name__)


class Results:
    """What a batch answered. Requests that are answered leave `missing`."""

    def __init__(
        self,
        batch: RequestBatch,
        model: RemoteModel,
        missing: dict[str, dict[str, Any]],
        prices: Prices | None,
        check: Callable[[], None],
    ) -> None:
        self.batch, self.model, self.missing, self.prices, self.check = batch, model, missing, prices, check
        self.left_out = frozenset(filter(None, batch.left_out.split(", ")))
        self.failed: dict[str, str] = {}
        """Requests with a result that is no answer, each with the reason."""
        self.without_parameter: set[str] = set()
        """Requests that are asked again without a parameter that the model refuses."""
        self.gone = False
        """Whether the endpoint does not give the results any more."""
        self.refused = ""
        """Why a request is refused for good, as one line, or ""."""

    def read(self, client: BatchClient, state: BatchState | None) -> int:
        """Read all files of an ended batch; return the number of new answers."""
        before, foreign, broken = len(self.missing), 0, 0
        try:
            for file in state.files if state else ():
                of_file = client.repeated(partial(self._of_file, client, file))
                foreign, broken = foreign + of_file[0], broken + of_file[1]
        except BatchGoneError:
            self.gone = True
        if foreign or broken:
            # The requests themselves stay missing, and so are asked again.
            log.warning("lines of a batch are of no use", batch=self.batch.endpoint_id, unknown=foreign, broken=broken)
        return before - len(self.missing)

    def unpaid(self, unbilled: bool) -> Decimal:
        """Return what was set aside for requests that are not billed: failed ones, or all of a batch that broke off."""
        if self.prices is None:
            return Decimal()
        if unbilled:
            self.batch.refresh_from_db(fields=["reserved"])
            return self.batch.reserved
        failed = [name for name in self.failed if name in self.missing]
        return sum((self.prices.highest(self.missing[name]) for name in failed), Decimal())

    def _of_file(self, client: BatchClient, file: str) -> tuple[int, int]:
        return self._of_lines(client.lines(file))

    def _of_lines(self, lines: Iterable[bytes]) -> tuple[int, int]:
        """Take each line; return how many name an unknown request, and how many cannot be read."""
        foreign = broken = 0
        for line in filter(bytes.strip, lines):
            self.check()
            result = result_in(line)
            if result is None:
                broken += 1
            elif result.request in self.missing:
                self._take(result)
            else:
                foreign += not self.model.store.known([result.request])
        return foreign, broken

    def _take(self, result: Result) -> None:
        reply = self._reply_in(result)
        if reply is None:
            self._fail(result)
        else:
            self._keep(result.request, reply)

    def _reply_in(self, result: Result) -> Reply | None:
        if result.status != OK:
            return None
        try:
            return reply_in(result.body, None, self.left_out)
        except (ValueError, LookupError, TypeError, AttributeError):
            return None

    def _keep(self, request: str, reply: Reply) -> None:
        highest = self.prices.highest(self.missing[request]) if self.prices else Decimal()
        cost = self.prices.of(reply, highest) if self.prices else Decimal()
        with batches.charged(self.batch, highest, cost):
            self.model.store.keep(request, reply)
        del self.missing[request]
        self.failed.pop(request, None)

    def _fail(self, result: Result) -> None:
        """Note a failure: it passes, or goes without a parameter, or ends the run."""
        why = result.why or ("the answer is no chat completion" if result.status == OK else "no reason given")
        self.failed[result.request] = f"{result.status}: {why}" if result.status else why
        if result.status in (0, OK) or result.status in PASSING:
            return
        sent = without(self.missing[result.request], self.left_out & self.missing[result.request].keys())
        refused = refused_parameter(result.why, sent) if result.status in REFUSING else ""
        if refused:
            self.model.refused.add(refused)
            self.without_parameter.add(result.request)
        else:
            self.refused = self.refused or self.failed[result.request]
