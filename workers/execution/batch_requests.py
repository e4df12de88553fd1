"""The requests of a run's waiting shards, collected without asking, so that a batch holds many shards."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from plumbline.audits.models import Shard
from plumbline.audits.states import WorkState
from plumbline.spec.answers.reply import KeptReply, Reply
from workers.engine.endpoints.chat_completion import Wording
from workers.engine.endpoints.remote import Manner, RemoteModel
from workers.engine.endpoints.reply_store import Progress
from workers.execution.worker import Work
from workers.probes.protocol import Memo

Bodies = dict[str, dict[str, Any]]
"""The body of each request, by the request's digest."""
MOST_AT_ONCE = 200_000
"""The number of requests from which no further shard is looked at, since all bodies are in memory."""
KNOWN_AT_ONCE = 10_000


class _Collector(RemoteModel):
    """A model that notes what it is asked, and answers nothing."""

    def __init__(self, model: RemoteModel) -> None:
        super().__init__(model.checkpoint)
        self.noted: Bodies = {}

    def replies(
        self,
        texts: Sequence[str],
        manner: Manner,
        wording: Wording | None = None,
        seed: int = 0,
        progress: Progress | None = None,
        samples: Sequence[int] | None = None,
    ) -> list[KeptReply]:
        self.noted |= {self.request_of(body): body for body in self.bodies(texts, wording, seed, samples)}
        return [KeptReply(Reply(""))] * len(texts)


def missing_of(work: Work, phase: str, model: RemoteModel, memo: Memo, shard: Shard) -> Bodies:
    """Return the requests of a shard whose replies are not stored."""
    return _missing(model, _noted(work, phase, model, memo, shard))


def missing_of_waiting(work: Work, phase: str, model: RemoteModel, memo: Memo, first: Shard) -> Bodies:
    """Return the requests whose replies are not stored, of `first` and of the undone shards after it."""
    found: Bodies = {}
    for shard in _waiting(first):
        found |= missing_of(work, phase, model, memo, shard)
        if len(found) >= MOST_AT_ONCE:
            break
    return found


def _waiting(first: Shard) -> Iterator[Shard]:
    after = Shard.objects.filter(phase=first.phase_id, state=WorkState.READY, number__gte=first.number)
    return after.order_by("number").iterator()


def _noted(work: Work, phase: str, model: RemoteModel, memo: Memo, shard: Shard) -> Bodies:
    """Execute a shard with empty replies, whose records nobody gets, and return its requests."""
    collector = _Collector(model)
    work.stage(phase).execute(work.spec, work.snapshots, shard.items, collector, memo, lambda _: None, work.read)
    return collector.noted


def _missing(model: RemoteModel, bodies: Mapping[str, Any]) -> Bodies:
    names, known = list(bodies), set[str]()
    for start in range(0, len(names), KNOWN_AT_ONCE):
        known |= model.store.known(names[start : start + KNOWN_AT_ONCE]).keys()
    return cast("Bodies", {name: body for name, body in bodies.items() if name not in known})
