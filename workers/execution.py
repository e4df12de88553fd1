"""Executing a run: claim one piece of work, do it, write it in one transaction, advance. Nothing here knows Celery."""

import time
import traceback
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, Protocol

from django.db import connection, transaction
from django.db.utils import OperationalError

from plumbline.audits import leases, life
from plumbline.audits.freezing import frozen_spec
from plumbline.audits.keys import DECISIVE, content_key
from plumbline.audits.models import MOST_ATTEMPTS, Phase, Run, Shard
from plumbline.audits.states import RunState, WorkState
from plumbline.results import copying, ids, measures, partitions, reading, shards, tables, terms
from plumbline.results.columns import LABELS
from plumbline.spec.audit import AuditSpec
from plumbline.spec.errors import InputError
from plumbline.spec.reference import ModelReference
from plumbline.spec.registry import PROBES as METHODS
from workers.engine.loading import ENGINE_VERSION, Checkpoint, Dtype, load, locate, provenance
from workers.heartbeat import kept_alive
from workers.probes.protocol import Columns, Model, ShardPlan, Snapshots
from workers.probes.registry import PROBES

DISK_FULL = "53100"
"""PostgreSQL's SQLSTATE."""


class Report(Protocol):
    """Who watches: told of each stage with its size, and of items as they are done."""

    def stage(self, name: str, total: int, done: int) -> None: ...
    def advance(self, items: int) -> None: ...


@dataclass
class Worker:
    """One process that executes: its name on leases, the model that it keeps loaded, the priors it has computed."""

    name: str
    report: Report
    loaded: tuple[tuple[str, ...], Model] | None = None
    memos: dict[int, dict[Any, Any]] = field(default_factory=dict)
    checkpoints: dict[int, Checkpoint] = field(default_factory=dict)

    def model(self, checkpoint: Checkpoint, dtype: Dtype) -> Model:
        wanted = (checkpoint.digest, checkpoint.tokenizer_digest, dtype)
        if self.loaded is None or self.loaded[0] != wanted:
            self.loaded = None
            self.loaded = (wanted, load(checkpoint, dtype=dtype))
        return self.loaded[1]

    def memo(self, run_id: int) -> dict[Any, Any]:
        if run_id not in self.memos:
            self.memos = {run_id: {}}
        return self.memos[run_id]


@dataclass(frozen=True)
class Work:
    """A run as its worker sees it."""

    run: Run
    spec: AuditSpec
    snapshots: Snapshots
    worker: Worker

    @property
    def probe(self) -> Any:
        return PROBES[self.run.probe]


def preflight(spec: AuditSpec, snapshots: Snapshots, worker: Worker) -> None:
    """Find out what is wrong with the words or the model before a run exists. Raises InputError.

    A model that a finished run has used before is known to load.
    """
    checkpoint = locate(spec.model)
    PROBES[spec.probe].check(spec, snapshots, checkpoint)
    if not Run.objects.filter(state=RunState.DONE, provenance__digest=checkpoint.digest).exists():
        worker.model(checkpoint, spec.dtype)


def drive(run_id: int, worker: Worker) -> None:
    """Execute all that is left of a run in this process. The run's row says how it ended; only Ctrl-C is raised."""
    try:
        while _step(run_id, worker):
            pass
    except leases.LeaseLostError:
        # The run lives on elsewhere, or was cancelled: either way it is no longer this process's to end.
        return
    except InputError as error:
        life.fail(run_id, str(error), expected=True, of=worker.name)
    except KeyboardInterrupt:
        # The interrupt may have cut a statement in two: what follows needs a connection in a known state.
        connection.close()
        why = f"interrupted; 'audit resume {run_id}' goes on with what is not done"
        life.cancel(run_id, why, of=worker.name)
        raise
    except Exception as error:
        _failed(run_id, worker, error)


def _failed(run_id: int, worker: Worker, error: Exception) -> None:
    if isinstance(error, OperationalError):
        connection.close()
    if getattr(error.__cause__, "sqlstate", "") == DISK_FULL:
        why = f"the database's disk is full: free some space, then 'audit resume {run_id}'"
        life.fail(run_id, why, expected=True, of=worker.name)
    else:
        why = f"{type(error).__name__}: {error}"
        life.fail(run_id, why, expected=False, traceback=traceback.format_exc(), of=worker.name)


def _step(run_id: int, worker: Worker) -> bool:
    """Do one piece of work; False when there is none that this worker may do."""
    life.advance(run_id)
    phase = life.current_phase(run_id)
    if phase is None or not life.begin(run_id, phase):
        return False
    lease = leases.take_next_shard(phase, worker.name) if phase.sharded else leases.take_phase(phase, worker.name)
    if lease is None:
        _check_attempts(phase)
        return False
    try:
        with kept_alive(lease):
            _perform(run_id, worker, phase, lease)
    except KeyboardInterrupt:
        connection.close()
        leases.give_back(lease)
        raise
    return True


def _check_attempts(phase: Phase) -> None:
    """Work that was begun again and again and never ended would kill every worker: it ends the run."""
    if worn_out := leases.worn_out(phase):
        raise RuntimeError(f"{worn_out} was begun {MOST_ATTEMPTS} times and never ended")


def _perform(run_id: int, worker: Worker, phase: Phase, lease: leases.Lease) -> None:
    run = Run.objects.get(pk=run_id)
    spec, snapshots = frozen_spec(run)
    work = Work(run, spec, snapshots, worker)
    if phase.name == "planning":
        _plan(work, phase, lease)
    elif phase.name == "summary":
        _summarise(work, lease)
    else:
        _execute(work, phase, lease)


def _plan(work: Work, phase: Phase, lease: leases.Lease) -> None:
    began = time.monotonic()
    work.worker.report.stage("planning", 1, 0)
    checkpoint = locate(work.run.model)
    planned = work.probe.plan(work.spec, work.snapshots, checkpoint)
    facts = _facts(work, checkpoint)
    target = Phase.objects.get(run=work.run, position=phase.position + 1)
    rows = sum(sum(shard.rows.values()) for shard in planned.shards)
    with transaction.atomic():
        if not leases.finish(lease, time.monotonic() - began):
            return
        Shard.objects.bulk_create(
            [_shard(work.run, target, number, shard, facts) for number, shard in enumerate(planned.shards)]
        )
        terms.ids_of(planned.labels)
        partitions.prepare(work.run.pk, rows)
        Run.objects.filter(pk=work.run.pk).update(planned_items=rows, provenance=facts)
    work.worker.report.advance(1)


def _facts(work: Work, checkpoint: Checkpoint) -> dict[str, Any]:
    """What decides the answers besides the words: model, engine, versions, device, dtype, seed."""
    return {
        **provenance(checkpoint, dtype=work.spec.dtype),
        "engine": ENGINE_VERSION,
        "probe_version": METHODS[work.run.probe].card.version,
        "seed": work.spec.seed,
        "params": work.spec.scoring_params(),
    }


def _shard(run: Run, phase: Phase, number: int, shard: ShardPlan, facts: dict[str, Any]) -> Shard:
    return Shard(
        run=run,
        phase=phase,
        number=number,
        key=content_key(run.probe, shard.inputs, facts),
        items=shard.items,
        planned_rows=shard.rows,
        state=WorkState.READY,
    )


def _execute(work: Work, phase: Phase, lease: leases.Lease) -> None:
    shard = Shard.objects.get(pk=lease.pk)
    _report_stage(work, phase)
    if not (work.run.reuse and _reuse(work, shard, lease)):
        began = time.monotonic()
        records = _records(work, shard)
        with transaction.atomic():
            if leases.finish(lease, time.monotonic() - began):
                _load(work.run.pk, shard, records)
    _report_stage(work, phase)


def _report_stage(work: Work, phase: Phase) -> None:
    done = Shard.objects.filter(phase=phase, state=WorkState.DONE).values_list("planned_rows", flat=True)
    rows_done = sum(sum(rows.values()) for rows in done)
    work.worker.report.stage(phase.name, work.run.planned_items or 0, rows_done)


def _reuse(work: Work, shard: Shard, lease: leases.Lease) -> bool:
    """Copy the records of a done shard with the same key; False when there is none, or it lost its records."""
    began = time.monotonic()
    same = Shard.objects.filter(key=shard.key, state=WorkState.DONE).exclude(run=work.run).order_by("-pk")
    try:
        with transaction.atomic():
            # Locked, so that its run is not deleted between the copy and the commit.
            source = same.select_for_update(no_key=True).first()
            if source is None:
                return False
            if not leases.finish(lease, time.monotonic() - began):
                return True
            for name, rows in shard.planned_rows.items():
                copied = shards.copy_shard(name, source.run_id, source.number, work.run.pk, shard.number)
                if copied != rows:
                    raise _RecordsLostError
            Shard.objects.filter(pk=shard.pk).update(reused_from=source)
    except _RecordsLostError:
        return False
    return True


class _RecordsLostError(Exception):
    """The shard to copy from no longer has its records: its run is being deleted."""


def _records(work: Work, shard: Shard) -> dict[str, Columns]:
    checkpoint = _checkpoint(work)
    model = work.worker.model(checkpoint, work.spec.dtype)
    memo, progress = work.worker.memo(work.run.pk), work.worker.report.advance
    found: dict[str, Columns] = work.probe.execute(work.spec, work.snapshots, shard.items, model, memo, progress)
    return found


def _checkpoint(work: Work) -> Checkpoint:
    """The model that the run was planned for, looked for once per worker and run; a hub model at its very commit."""
    known = work.worker.checkpoints
    if work.run.pk not in known:
        revision = work.run.provenance["revision"]
        checkpoint = locate(ModelReference.parse(work.run.model).at(revision))
        _same_as_planned(work, checkpoint)
        work.worker.checkpoints = {work.run.pk: checkpoint}
    return work.worker.checkpoints[work.run.pk]


def _same_as_planned(work: Work, checkpoint: Checkpoint) -> None:
    """Whatever decides answers must be as it was at planning: else new answers would be filed under the old keys."""
    now, planned = _facts(work, checkpoint), work.run.provenance
    if changed := [name for name in DECISIVE if now[name] != planned[name]]:
        raise InputError(
            f"{', '.join(changed)} of {work.run.model} changed since run {work.run.pk} was planned:"
            " launch a new run, which uses what is unchanged again."
        )


def _load(run_id: int, shard: Shard, records: dict[str, Columns]) -> None:
    """COPY the shard's records in. A count of rows other than planned is a failure."""
    for name, planned in shard.planned_rows.items():
        columns = records[name]
        loaded = copying.copy_in(tables.record_table(name), _with_ids(run_id, shard.number, columns))
        if loaded != planned:
            raise RuntimeError(f"shard {shard.number} wrote {loaded} rows of {name} instead of the {planned} planned")


def _with_ids(run_id: int, number: int, columns: Columns) -> Columns:
    labelled = {name: columns[name] for name in LABELS if name in columns}
    known = terms.ids_of({label for texts in labelled.values() for label in texts if label is not None})
    numbers = {name: [None if label is None else known[label] for label in texts] for name, texts in labelled.items()}
    size = len(next(iter(columns.values())))
    return {**columns, **numbers, "id": ids.record_ids(run_id, number, size), "run": [run_id] * size}


def _summarise(work: Work, lease: leases.Lease) -> None:
    began = time.monotonic()
    work.worker.report.stage("summary", 1, 0)
    found = work.probe.summarise(work.spec, work.snapshots, partial(reading.read, work.run.pk))
    with transaction.atomic():
        if leases.finish(lease, time.monotonic() - began):
            measures.replace_measures(work.run.pk, map(asdict, found))
    work.worker.report.advance(1)
