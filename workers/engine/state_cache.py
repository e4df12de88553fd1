"""What a model's body said of its last batches, so that a second method that asks the same need not run it again.

The sensitivity test and the chain rule read the same masks of the same sentences: run after each other by one worker,
the second has the body's share of the work done. A batch is known by all that was run and read in it, so that what is
kept is what would be found again, bit by bit.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable

from torch import Tensor

MOST_BYTES = 1 << 28
"""The 50,000 passes of a full ABC audit with 1,024 numbers each take 200 MB."""


class KeptStates:
    """Hidden states by batch, `most` bytes at most: those that were asked for longest ago go first."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most = most
        self.size = 0
        self._kept: OrderedDict[Hashable, Tensor] = OrderedDict()

    def of(self, batch: Hashable, run: Callable[[], Tensor]) -> Tensor:
        """What is kept of the batch, or what `run` finds, which is kept then; in the machine's memory, not a GPU's."""
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
