"""Turns: a worker keeps its run and its model for a while, then serves whoever waits by the fair order.

Within a turn it takes its last run, then others for its model. So a model is unloaded at most once in a turn while runs
of the same priority wait for it. A turn lasts at least `LOADS_PER_TURN` times as long as its model took to load, so a
worker does not spend most of its time on loading. A more urgent run, or one that a person moved to the front, ends it.
"""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from plumbline.audits.queue import fair_order
from plumbline.audits.queue.next_run import Choice, Near, choose

LOADS_PER_TURN = 4.0


@dataclass
class Turns:
    """The turns of one worker. `seconds` is the length of a turn, and `clock` gives the present second."""

    seconds: float
    clock: Callable[[], float] = time.monotonic
    near: Near = field(default_factory=Near)
    ends: float = float("-inf")

    def next(self, queues: Collection[str], device: str, digest: str = "") -> Choice | None:
        """Return the run to work on now, or None. `digest` is that of the loaded model, if there is one."""
        going_on = self.clock() < self.ends
        chosen = choose(queues, device, replace(self.near, digest=digest) if going_on else None)
        if chosen is None:
            return None
        if not (going_on and chosen.near):
            self.ends = self.clock() + self.seconds
        self.near = Near(chosen.run, chosen.person)
        return chosen

    def loaded(self, seconds: float) -> None:
        """Begin the turn now, after a model was loaded in some seconds."""
        self.ends = self.clock() + max(self.seconds, LOADS_PER_TURN * seconds)

    def worked(self, chosen: Choice, seconds: float) -> None:
        """Charge the time of a piece of work to the run's person."""
        fair_order.charge(chosen.run, chosen.person, seconds)
