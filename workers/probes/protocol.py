"""What every probe is: check -> plan -> execute -> summarise. No SQL, no Django; the life of a run is elsewhere."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import polars as pl

from plumbline.spec.audit import AuditSpec
from plumbline.spec.measure import Measure
from workers.engine.causal import CausalModel
from workers.engine.checkpoint import Checkpoint
from workers.engine.masked import MaskedModel

Snapshots = Mapping[str, Mapping[str, Any]]
Columns = dict[str, Any]
"""Column name -> one value a row, a list or an array."""
Model = MaskedModel | CausalModel
Progress = Callable[[int], None]
Memo = dict[Any, Any]
"""What a worker keeps of one run between its shards, as the probe likes it."""
Read = Callable[[str], pl.DataFrame]


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """A part of the work: what the probe needs to execute it, the rows it writes, and what decides its answers."""

    items: Any
    rows: dict[str, int]
    inputs: Any
    """Rendered inputs and labels, for the content key."""


@dataclass(frozen=True, slots=True)
class Planned:
    shards: list[ShardPlan]
    labels: set[str]
    """Every text that the records will name."""


class Probe(Protocol):
    def check(self, spec: AuditSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        """What can be told wrong about the words and params with the model at hand. Raises InputError."""

    def plan(self, spec: AuditSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        """Check, and lay the items out in shards. Raises InputError."""

    def execute(
        self,
        spec: AuditSpec,
        snapshots: Snapshots,
        items: Any,
        model: Model,
        memo: Memo,
        progress: Progress,
    ) -> dict[str, Columns]:
        """The records of one shard by table, labels as text. `memo` outlives the shard."""

    def summarise(self, spec: AuditSpec, snapshots: Snapshots, read: Read) -> list[Measure]:
        """The measures of a run from its records; `read(table)` gives them as a frame."""
