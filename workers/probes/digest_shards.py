"""Items in shards by a digest of their names, so that an item that is added moves no other one."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Protocol, TypeVar


class Named(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=Named)


def by_digest(items: Sequence[T], size: int) -> Mapping[int, list[T]]:
    """Return the items by shard, in their order; a shard holds about `size` items."""
    count = -(-len(items) // size)
    found: dict[int, list[T]] = defaultdict(list)
    for item in items:
        found[int(sha256(item.id.encode()).hexdigest()[:8], 16) % count].append(item)
    return found
