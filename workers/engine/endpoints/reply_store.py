"""Stores of replies, and questions that are asked only if the store has no reply."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from plumbline.spec.answers.reply import KeptReply, Reply

Progress = Callable[[int], None]
Arrived = Callable[[str, Reply], None]
"""Called with the digest of a request and its reply."""
Asked = TypeVar("Asked")
"""What a model gets to answer a request."""


class ReplyStore(Protocol):
    """A store of one run's replies, by the digest of their request."""

    def known(self, requests: Sequence[str]) -> Mapping[str, KeptReply]:
        """Return the replies that the run has received before."""

    def keep(self, request: str, reply: Reply) -> KeptReply:
        """Store a reply as soon as it has arrived."""


class MemoryStore:
    """Replies in the memory of this process."""

    def __init__(self) -> None:
        self.replies: dict[str, KeptReply] = {}

    def known(self, requests: Sequence[str]) -> Mapping[str, KeptReply]:
        return {request: self.replies[request] for request in requests if request in self.replies}

    def keep(self, request: str, reply: Reply) -> KeptReply:
        return self.replies.setdefault(request, KeptReply(reply))


def replies_once(
    store: ReplyStore,
    requests: Sequence[tuple[str, Asked]],
    ask: Callable[[Mapping[str, Asked], Arrived], None],
    progress: Progress | None = None,
) -> list[KeptReply]:
    """Return the reply to each request, which is a digest and what the model gets.

    `ask` gets the distinct requests that the store does not know, and a function for each reply, which stores it.
    `progress` is called with the number of requests answered since its last call.
    """
    counts, tell = Counter(name for name, _ in requests), progress or (lambda _: None)
    found = dict(store.known(list(counts)))
    if found:
        tell(sum(counts[name] for name in found))

    def arrived(name: str, reply: Reply) -> None:
        found[name] = store.keep(name, reply)
        tell(counts[name])

    ask({name: one for name, one in requests if name not in found}, arrived)
    return [found[name] for name, _ in requests]
