"""Workers: a process that executes, and its view of a run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import polars as pl
from django.conf import settings

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.audits.queue.turns import Turns
from plumbline.audits.states import RunState
from plumbline.results.summing import records_or_sums
from plumbline.spec.audit import AuditSpec
from workers.engine.endpoints.limiter import LimiterAt, own_limiter
from workers.engine.loading import Checkpoint, Dtype, load_any, locate
from workers.execution.servers import question_server
from workers.execution.shared_limiters import limited
from workers.execution.stages import stages_of
from workers.probes.model_kinds import require_weights
from workers.probes.protocol import AnyModel, Snapshots, Stage


@dataclass(frozen=True, slots=True)
class Source:
    """An earlier run that may hold items of a run, and by column the labels with the same content in both."""

    run: int
    same: Mapping[str, frozenset[str]]


class Report(Protocol):
    """The observer of a worker, called for each piece of work, before a model is loaded and when it is there, for each
    stage with its size, and for completed items.

    `done` costs a query, so only an observer that displays it calls it.
    """

    def takes(self, run_id: int, what: str) -> None: ...
    def loads(self, begins: bool) -> None: ...
    def stage(self, name: str, total: int, done: Callable[[], int]) -> None: ...
    def advance(self, items: int) -> None: ...


@dataclass(frozen=True)
class Work:
    """A run with its spec and snapshots, as its worker uses it."""

    run: Run
    spec: AuditSpec
    snapshots: Snapshots
    worker: "Worker"

    def stage(self, phase: str) -> Stage[Any]:
        return stages_of(self.spec)[phase]

    def read(self, table: str, *, group_by: Sequence[str] = (), **where: Any) -> pl.DataFrame:
        """Return the run's records for probes, followed by those of the run that it adds to."""
        runs = [run for run in (self.run.pk, self.spec.base()) if run is not None]
        return pl.concat([records_or_sums(run, table, group_by, **where) for run in runs])


@dataclass
class Worker:
    """A process that executes: its name on leases, and its caches between two pieces of work.

    `patience`: the seconds for which it waits for a database that went away before the error is raised.
    `limiter_at`: what limits its requests to servers. Processes that share a server's limit have `shared_limiters`'.
    """

    name: str
    report: Report
    patience: float = 10.0
    owner: str | None = None
    limiter_at: LimiterAt = own_limiter
    loaded: tuple[tuple[str, ...], AnyModel] | None = None
    memos: dict[int, dict[Any, Any]] = field(default_factory=dict)
    checkpoints: dict[tuple[int, str], Checkpoint] = field(default_factory=dict)
    specs: dict[int, tuple[AuditSpec, Snapshots]] = field(default_factory=dict)
    sources: dict[tuple[int, str], list[Source]] = field(default_factory=dict)
    loading: float = 0.0
    """The seconds that it has spent on loading models."""
    turns: Turns = field(default_factory=lambda: Turns(settings.TURN_SECONDS))

    @property
    def owns(self) -> str:
        """The owner of the runs that it may end: itself, or nobody for a worker of the pool."""
        return self.name if self.owner is None else self.owner

    def model(self, checkpoint: Checkpoint, dtype: Dtype) -> AnyModel:
        server = checkpoint.server
        # Each run has its own agreement with a server, and an address is nothing to the digest.
        wanted = (checkpoint.digest, checkpoint.tokenizer_digest, dtype, *((server.url, server.once) if server else ()))
        if self.loaded is None or self.loaded[0] != wanted:
            self.loaded = None
            self.report.loads(True)
            began = self.turns.clock()
            self.loaded = (wanted, limited(load_any(checkpoint, dtype=dtype), self.limiter_at))
            took = self.turns.clock() - began
            self.turns.loaded(took)
            self.loading += took
        self.report.loads(False)
        return self.loaded[1]

    def memo(self, run_id: int) -> dict[Any, Any]:
        if run_id not in self.memos:
            self.memos = {run_id: {}}
        return self.memos[run_id]

    def work(self, run: Run) -> Work:
        """Return the run with its spec, which is frozen at launch and read once."""
        if run.pk not in self.specs:
            self.specs = {run.pk: frozen_spec(run)}
        return Work(run, *self.specs[run.pk], self)


def preflight(spec: AuditSpec, snapshots: Snapshots, worker: Worker) -> None:
    """Check the words and the model before a run exists. Raises InputError.

    A model that a finished run has used is known to load.
    """
    for stage in stages_of(spec).values():
        checkpoint = locate(stage.reference(spec))
        require_weights(spec, stage.reference(spec), checkpoint)
        stage.check(spec, snapshots, checkpoint)
        if checkpoint.server is not None:
            question_server(checkpoint, worker.limiter_at)
        elif not Run.objects.filter(state=RunState.DONE, provenance__digest=checkpoint.digest).exists():
            worker.model(checkpoint, spec.dtype)
