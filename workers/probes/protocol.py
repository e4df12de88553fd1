"""The interface of probes: check -> plan -> execute -> summarise. No SQL, no Django, and no life cycle of runs.

A probe with several phases is a StagedProbe: each phase plans and executes, based on the results of the one before.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import polars as pl

from plumbline.spec.answers.classes import TABLE as PARSED
from plumbline.spec.audit import AuditSpec
from plumbline.spec.measure import Measure
from workers.engine.causal import CausalModel
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.embeddings import EncoderModel
from workers.engine.endpoints.remote import RemoteModel
from workers.engine.local_chat import LocalChat
from workers.engine.masked import MaskedModel
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.engine.stored_answers import StoredAnswers
from workers.engine.text_to_text import TextToTextModel
from workers.engine.word_vectors import StaticVectors

Spec = TypeVar("Spec", bound=AuditSpec, contravariant=True)
"""The spec that a probe accepts: its own class, or one that several probes share."""
OwnSpec = TypeVar("OwnSpec", bound=AuditSpec, covariant=True)
"""The spec of a run that is given to a method."""
Snapshots = Mapping[str, Mapping[str, Any]]
Columns = dict[str, Any]
"""Column name -> one value per row, as a list or an array."""
Model = MaskedModel | CausalModel
AnyModel = (
    Model
    | MultipleChoiceModel
    | TextToTextModel
    | EncoderModel
    | StaticVectors
    | RemoteModel
    | LocalChat
    | StoredAnswers
)
Progress = Callable[[int], None]
Memo = dict[Any, Any]
"""A worker's cache of one run between its shards, in a form that the probe chooses."""


class Read(Protocol):
    """A reader of a run's records: read("association") returns the whole table, `where` selects rows by values.

    `group_by` names label columns. The result then has the sums of the numeric columns over the rows that agree in
    them, computed in the database, and `n`, the number of rows.
    """

    def __call__(self, table: str, *, group_by: Sequence[str] = (), **where: Any) -> pl.DataFrame: ...


def item_count(rows: Mapping[str, int | None], expected: int = 0) -> int:
    """Return the number of items in rows by table; a number that is not known counts as `expected`.

    The class of an answer is no item of its own.
    """
    return sum(expected if number is None else number for name, number in rows.items() if name != PARSED)


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """A part of the work: the items to execute, the rows that it writes, and the inputs that decide its answers."""

    items: Any
    rows: Mapping[str, int | None]
    """Rows by table; None: not known in advance, about `expected`."""
    inputs: Any
    """Rendered inputs and labels, for the content key."""
    expected: int = 1

    @property
    def size(self) -> int:
        """The number of items, as far as it is known."""
        return item_count(self.rows, self.expected)


@dataclass(frozen=True, slots=True)
class Planned:
    shards: list[ShardPlan]
    labels: set[str]
    """Every text that the records name."""


@dataclass(frozen=True, slots=True)
class Done:
    """A completed shard of the phase before."""

    number: int
    key: str
    """Its content key: equal keys mean equal records."""
    items: Any
    rows: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything that decides each record besides the model, the versions, the seed and the params.

    `axes`: for each label column that identifies an item, every label with its content. An item of two runs is the same
    if the contents of all its labels are equal in both, and `rest` is equal.
    """

    axes: Mapping[str, Mapping[str, Any]]
    rest: Any = None


class Stage(Protocol[Spec]):
    """One phase of a probe with several, each of which may use its own model."""

    def reference(self, spec: Spec) -> str:
        """Return the reference of its model."""

    def params(self, spec: Spec) -> dict[str, Any]:
        """Return the params that its records depend on, besides those of earlier phases."""

    def check(self, spec: Spec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        """Check the words and params with the model. Raises InputError."""

    def plan(self, spec: Spec, snapshots: Snapshots, checkpoint: Checkpoint, before: Sequence[Done]) -> Planned:
        """Plan the shards from the results of the phase before. Raises InputError."""

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
        """Return the records of one shard by table; `read` returns the records of earlier phases."""


@runtime_checkable
class StagedProbe(Protocol[Spec]):
    """A probe of several phases, by their names on its card."""

    @property
    def stages(self) -> Mapping[str, Stage[Spec]]: ...

    def summarise(self, spec: Spec, snapshots: Snapshots, read: Read) -> list[Measure]:
        """Return the measures of a run from its records."""


class Probe(Protocol[Spec]):
    """A probe of one phase, which queries the model under audit."""

    def check(self, spec: Spec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        """Check the words and params with the model. Raises InputError."""

    def plan(self, spec: Spec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        """Check, and divide the items into shards. Raises InputError."""

    def execute(
        self,
        spec: Spec,
        snapshots: Snapshots,
        items: Any,
        model: AnyModel,
        memo: Memo,
        progress: Progress,
    ) -> dict[str, Columns]:
        """Return the records of one shard by table, labels as text. `memo` outlives the shard."""

    def summarise(self, spec: Spec, snapshots: Snapshots, read: Read) -> list[Measure]:
        """Return the measures of a run from its records; `read(table)` returns them as a frame."""


@runtime_checkable
class Itemised(Protocol[Spec]):
    """A probe, or a stage, whose records can be found by item in earlier runs, so only new items need the model."""

    def contents(self, spec: Spec, snapshots: Snapshots, checkpoint: Checkpoint, items: Any) -> Contents | None:
        """Return the contents, or None if no record may come from another run.

        `items` are those of any shard of the run.
        """

    def labels(self, spec: Spec, snapshots: Snapshots, items: Any) -> pl.DataFrame:
        """Return a shard's items in the order of its records: one row per item, in the columns of its axes."""

    def only(self, spec: Spec, snapshots: Snapshots, items: Any, missing: pl.DataFrame) -> Any:
        """Return the shard's items, for `execute`, restricted to those in `missing`, rows of its labels."""


@dataclass(frozen=True, slots=True)
class Audited(Generic[OwnSpec]):
    """A run that is compared with another: its frozen spec and lists, and its records."""

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
    paired: int | None = None
    """The items behind the measures; None: one per measure."""


class Compare(Protocol[Spec]):
    """The function `compare` of a method's module `comparison`, for scores that cannot be paired item by item."""

    def __call__(self, first: Audited[Spec], second: Audited[Spec]) -> Changes:
        """Return second minus first, sampled as the second run's spec says. Raises InputError."""


class MeasureChanges(Protocol[Spec]):
    """The function `measure_changes` of a method's module `comparison`, for the page of before and after."""

    def __call__(self, first: Audited[Spec], second: Audited[Spec]) -> list[Measure]:
        """Return the changes of differences between groups or of figures of whole runs, with verdicts in one family.

        `condition` names the statistic that changed, then after a comma its condition. If both runs have another
        definition than the primary one, it follows after a colon. Raises InputError.
        """
