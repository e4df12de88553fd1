"""A causal model behind a server, with the queries of `CausalModel`."""

import json
import threading
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np

from plumbline.spec.digests import digest
from plumbline.spec.errors import ModelError
from workers.engine.causal import CausalModel, CausalQuery, Plan
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.checkpoints.folders import var_folder
from workers.engine.masked import FloatArray, Progress
from workers.engine.servers.answer_cache import AnswerCache
from workers.engine.servers.link import Link, Manner
from workers.engine.servers.packing import Packed, Read, packed
from workers.engine.servers.protocols import PROTOCOLS, UnfitAnswerError, Values
from workers.engine.servers.requests import Request

TOLERANCE = 1e-3
"""The largest difference between two answers of one model to the same question."""
CONTROL = "The sun rises in the east and sets in the west."
"""The sentence whose log probabilities identify a model."""
CHECKED_SECONDS = 30.0
"""For how long a comparison of the control sentence holds, if the server stays reachable."""


class ServerModel(CausalModel):
    """A model that answers over HTTP. Its weights are elsewhere, so it gives neither distances nor states."""

    def __init__(self, checkpoint: Checkpoint, manner: Manner | None = None) -> None:
        if checkpoint.server is None:
            raise TypeError(f"{checkpoint.reference} is not behind a server")
        self.checkpoint, self.server = checkpoint, checkpoint.server
        self.tokenizer = checkpoint.tokenizer
        self.protocol = PROTOCOLS[self.server.protocol]
        self.link = Link(self.server.url, checkpoint.reference, self.server.protocol, manner or Manner())
        self._cache = AnswerCache(var_folder() / "remote" / "log_probabilities.sqlite")
        self._checking, self._checked = threading.Lock(), float("-inf")

    def log_probabilities(self, queries: Sequence[CausalQuery], progress: Progress | None = None) -> FloatArray:
        """Return the log-probabilities, float64 [n], in the order of the queries.

        Answers that this run has received before come from a cache on this machine. Raises ModelError for a query
        without context or with `ends`, for a server that refuses or stays away, and for another model than before.
        """
        if any(query.ends for query in queries):
            raise ModelError(
                f"{self.checkpoint.reference} gives single log probabilities, and the end of a word has thousands of"
                " tokens: leave params.ends out, or audit the model with its weights"
            )
        plan = Plan(queries)
        self._check_control()
        found: dict[Read, float] = {}
        left = Counter({node: len(targets) for node, targets in plan.asked.items()})
        for one, values in self.link.each(lambda one: (one, self._kept(one.request)), packed(plan)):
            done = _values(one, values)
            found.update(done)
            left.subtract(node for node, _ in done)
            if progress:
                progress(sum(plan.finishing[node] for node in {node for node, _ in done} if not left[node]))
        self._check_control()
        return np.array([sum(found[one] for one in reads) for reads in plan.reads], dtype=np.float64)

    def distances(
        self,
        queries: Sequence[CausalQuery],
        margin: float = 1.0,
        *,
        with_bias: bool = False,
        progress: Progress | None = None,
    ) -> FloatArray:
        """Raise ModelError, because distances need the last layer."""
        raise ModelError(f"{self.checkpoint.reference} is behind a server, and distances need its weights")

    def ask(self, request: Request) -> Values:
        """Send one request and return its values. Raises ModelError if a value is missing."""
        answer = self.link.post(self.protocol.path, self.protocol.body(self.server.name, request))
        try:
            return self.protocol.values(request, answer)
        except UnfitAnswerError as error:
            raise ModelError(f"{self.checkpoint.reference} {error}: it cannot be audited") from error
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise ModelError(
                f"{self.checkpoint.reference} gives no log probability for each token: serve the model with a version"
                f" of {self.server.protocol} that gives them (it lacks {error})"
            ) from error

    def control(self) -> tuple[float, ...]:
        """Return the log probabilities of the control sentence's tokens after the first."""
        (values,) = self.ask(Request((self.text(CONTROL),)))
        return tuple(value for value in values[1:] if value is not None)

    def text(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokenizer(text)["input_ids"])

    def _kept(self, request: Request) -> Values:
        """Return the values of a request from the cache, else from the server. An answer is kept once it arrives."""
        key = digest([self.server.once, self.server.digest, request.texts, request.targets])
        known = self._cache.get(key) if self.server.once else None
        if known is not None:
            return json.loads(known)  # type: ignore[no-any-return]
        values = self.ask(request)
        if self.link.was_away.is_set():
            self._check_control()
        if self.server.once:
            self._cache.put(key, json.dumps(values))
        return values

    def _check_control(self) -> None:
        """Raise ModelError if the server now has another model under the same name."""
        if not self.server.control:
            return
        with self._checking:
            if time.monotonic() - self._checked < CHECKED_SECONDS and not self.link.was_away.is_set():
                return
            self.link.was_away.clear()
            now = self.control()
            if (apart := largest_difference(now, self.server.control)) > TOLERANCE:
                raise ModelError(
                    f"{self.checkpoint.reference} answers the control sentence otherwise than before the run (by"
                    f" {apart:.4f}), so the server has another model now: launch a new run"
                )
            self._checked = time.monotonic()


def largest_difference(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the largest absolute difference; infinity for different lengths."""
    if len(one) != len(other):
        return float("inf")
    return float(np.abs(np.subtract(one, other)).max(initial=0.0))


def _values(one: Packed, values: Values) -> dict[Read, float]:
    return {
        read: float("nan") if (value := row[place]) is None else value
        for row, reads in zip(values, one.reads, strict=True)
        for read, place in reads
    }
