"""What every probe is: check -> plan -> execute -> summarise. No SQL, no Django; the life of a run is elsewhere.

One that has several phases is a StagedProbe: each phase plans and executes, planned from what the one before has done.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import polars as pl

from plumbline.spec.audit import AuditSpec
from plumbline.spec.measure import Measure
from workers.engine.causal import CausalModel
from workers.engine.checkpoint import Checkpoint
from workers.engine.embeddings import EncoderModel
from workers.engine.masked import MaskedModel
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.engine.remote import RemoteModel
from workers.engine.static import StaticVectors
from workers.engine.stored import StoredAnswers
from workers.engine.text_to_text import TextToTextModel

Spec = TypeVar("Spec", bound=AuditSpec, contravariant=True)
"""The spec that a probe takes: its own class, or one that several probes share."""
OwnSpec = TypeVar("OwnSpec", bound=AuditSpec, covariant=True)
"""The spec of a run that is given to a method."""
Snapshots = Mapping[str, Mapping[str, Any]]
Columns = dict[str, Any]
"""Column name -> one value a row, a list or an array."""
Model = MaskedModel | CausalModel
AnyModel = Model | MultipleChoiceModel | TextToTextModel | EncoderModel | StaticVectors | RemoteModel | StoredAnswers
Progress = Callable[[int], None]
Memo = dict[Any, Any]
"""What a worker keeps of one run between its shards, as the probe likes it."""


class Read(Protocol):
    """A run's records: read("association") gives a table whole, `where` the rows that have these values.

    `group_by` names label columns: then the sums of the columns of numbers over the rows that agree in them, made in
    the database, and `n`, the number of rows.
    """

    def __call__(self, table: str, *, group_by: Sequence[str] = (), **where: Any) -> pl.DataFrame: ...


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """A part of the work: what the probe needs to execute it, the rows it writes, and what decides its answers."""

    items: Any
    rows: Mapping[str, int | None]
    """By table; None: as many as come of it, `expected` of them or so."""
    inputs: Any
    """Rendered inputs and labels, for the content key."""
    expected: int = 1

    @property
    def size(self) -> int:
        return sum(self.expected if rows is None else rows for rows in self.rows.values())


@dataclass(frozen=True, slots=True)
class Planned:
    shards: list[ShardPlan]
    labels: set[str]
    """Every text that the records will name."""


@dataclass(frozen=True, slots=True)
class Done:
    """A shard of the phase before, as it was done."""

    number: int
    key: str
    """Its content key: equal keys are equal records."""
    items: Any
    rows: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Contents:
    """What decides each record besides the model, the versions, the seed and the params.

    `axes`: for each column of labels that name an item, every label with what it stands for. An item of two runs is
    the same one where all of its labels stand for the same in both, and `rest` is equal.
    """

    axes: Mapping[str, Mapping[str, Any]]
    rest: Any = None


class Stage(Protocol[Spec]):
    """One phase of a probe that has several, each of which may ask a model of its own."""

    def reference(self, spec: Spec) -> str:
        """The model that it asks."""

    def params(self, spec: Spec) -> dict[str, Any]:
        """The params that its records depend on, besides those of the phases before."""

    def check(self, spec: Spec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        """As a probe's."""

    def plan(self, spec: Spec, snapshots: Snapshots, checkpoint: Checkpoint, before: Sequence[Done]) -> Planned:
        """Lay the items out in shards, from what the phase before has done. Raises InputError."""

    def execute(
        self,
        spec: Spec,
        snapshots: Snapshots,
        items: Any,
        model: AnyModel,
        memo: Memo,
        progress: Progress,
        read: Read,
    ) -> dict[str, Columns]:
        """As a probe's; `read` gives what the phases before have written."""


@runtime_checkable
class StagedProbe(Protocol[Spec]):
    """A probe of several phases, by their names on its card."""

    @property
    def stages(self) -> Mapping[str, Stage[Spec]]: ...

    def summarise(self, spec: Spec, snapshots: Snapshots, read: Read) -> list[Measure]:
        """As a probe's."""


class Probe(Protocol[Spec]):
    """A probe of one phase, which asks the model under audit."""

    def check(self, spec: Spec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        """What can be told wrong about the words and params with the model at hand. Raises InputError."""

    def plan(self, spec: Spec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        """Check, and lay the items out in shards. Raises InputError."""

    def execute(
        self,
        spec: Spec,
        snapshots: Snapshots,
        items: Any,
        model: AnyModel,
        memo: Memo,
        progress: Progress,
    ) -> dict[str, Columns]:
        """The records of one shard by table, labels as text. `memo` outlives the shard."""

    def summarise(self, spec: Spec, snapshots: Snapshots, read: Read) -> list[Measure]:
        """The measures of a run from its records; `read(table)` gives them as a frame."""


@runtime_checkable
class Itemised(Protocol[Spec]):
    """A probe, or a stage, whose records are found item by item in earlier runs, so that only new items are asked."""

    def contents(self, spec: Spec, snapshots: Snapshots, checkpoint: Checkpoint, items: Any) -> Contents | None:
        """None where no record may be taken from another run. `items`: of any of the run's shards."""

    def labels(self, spec: Spec, snapshots: Snapshots, items: Any) -> pl.DataFrame:
        """A shard's items in the order of its records: one row an item, in the columns of the axes that name it."""

    def only(self, spec: Spec, snapshots: Snapshots, items: Any, missing: pl.DataFrame) -> Any:
        """The shard with some of its items alone, given by rows of its labels, as `execute` takes it."""


@dataclass(frozen=True, slots=True)
class Audited(Generic[OwnSpec]):
    """A run as it is compared with another: its frozen spec and lists, and its records."""

    spec: OwnSpec
    snapshots: Snapshots
    read: Read


@dataclass(frozen=True, slots=True)
class Changes:
    """A measure for each pair of labels that both runs score, and how many pairs cannot be compared."""

    measures: list[Measure]
    only_first: int
    only_second: int
    not_scorable: int


class Compare(Protocol[Spec]):
    """The function `compare` of a method's module `comparison`, for scores that cannot be paired item by item."""

    def __call__(self, first: Audited[Spec], second: Audited[Spec]) -> Changes:
        """Return second minus first, sampled as the second run's spec says. Raises InputError."""
