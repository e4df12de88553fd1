"""A cache of hidden states, so that a second method with the same inputs need not run the body again.

The sensitivity test and the chain rule read the same masks of the same sentences. When one worker runs both, the second
finds the body's work done. A batch is identified by everything that was run and read in it, so cached states equal
recomputed ones bit by bit.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable

from torch import Tensor

MOST_BYTES = 1 << 28
"""The 50,000 passes of a full ABC audit with 1,024 numbers each take 200 MB."""


class StateCache:
    """Hidden states by batch, at most `most` bytes; the least recently used are removed first."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most = most
        self.size = 0
        self._kept: OrderedDict[Hashable, Tensor] = OrderedDict()

    def of(self, batch: Hashable, run: Callable[[], Tensor]) -> Tensor:
        """Return the cached states of the batch, or those of `run`, which are then cached in main memory."""
        if batch in self._kept:
            self._kept.move_to_end(batch)
            return self._kept[batch]
        states = run()
        self._keep(batch, states.cpu())
        return states

    def clear(self) -> None:
        self._kept.clear()
        self.size = 0

    def _keep(self, batch: Hashable, states: Tensor) -> None:
        self._kept[batch] = states
        self.size += states.nbytes
        while self.size > self.most:
            self.size -= self._kept.popitem(last=False)[1].nbytes
