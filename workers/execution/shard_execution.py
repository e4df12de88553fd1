"""Execution of a shard in one transaction: its records come from earlier runs if possible, else from the model."""

import time
from typing import Any, cast

import polars as pl
from django.db import transaction
from django.db.models import Sum

from plumbline.audits import leases, life
from plumbline.audits.models import Phase, Shard
from plumbline.audits.states import WorkState
from plumbline.results import copying, ids, shards, tables, terms
from plumbline.results.columns import LABELS
from workers.engine.endpoints.remote import RemoteModel
from workers.execution.batches import answer_in_batches
from workers.execution.heartbeat import Hold
from workers.execution.planning import checkpoint_of
from workers.execution.reused_records import in_order, reused_records
from workers.execution.run_replies import for_run
from workers.execution.sources import sources_of
from workers.execution.stages import itemised
from workers.execution.worker import Work
from workers.probes.protocol import Columns, Itemised, Memo, item_count

ALONE = "items alone"
"""The key in a worker's memo of a run for items whose neighbours come from earlier runs."""


def execute(work: Work, phase: Phase, hold: Hold) -> None:
    """Write the records of one shard. Raises LeaseLostError when the work is no longer this worker's."""
    lease, shard = hold.lease, cast(Shard, hold.lease.row)
    _report_stage(work, phase)
    if not (work.run.reuse and _reuse(work, shard, lease)):
        began, loading = time.monotonic(), work.worker.loading
        records, reused = _records(work, shard, phase.name, hold)
        with transaction.atomic():
            if leases.finish(lease, time.monotonic() - began - (work.worker.loading - loading)):
                _load(work.run.pk, shard, records)
                Shard.objects.filter(pk=shard.pk).update(rows_reused=reused)
    if None in shard.planned_rows.values():
        life.count_items(work.run.pk)
    _report_stage(work, phase)


def _report_stage(work: Work, phase: Phase) -> None:
    def done() -> int:
        rows = Shard.objects.filter(phase=phase, state=WorkState.DONE).aggregate(rows=Sum("size"))["rows"]
        return int(rows or 0)

    work.worker.report.stage(phase.name, work.run.planned_items or 0, done)


def _reuse(work: Work, shard: Shard, lease: leases.Lease) -> bool:
    """Copy the records of a done shard with the same key; return False if there is none or its records are gone."""
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
            for name, rows in source.planned_rows.items():
                copied = shards.copy_shard(name, source.run_id, source.number, work.run.pk, shard.number)
                if copied != rows:
                    raise _RecordsLostError
            _count(shard, source.planned_rows)
            Shard.objects.filter(pk=shard.pk).update(reused_from=source, rows_reused=source.size)
    except _RecordsLostError:
        return False
    return True


class _RecordsLostError(Exception):
    """The error for a source shard whose records are gone, because its run is being deleted."""


def _records(work: Work, shard: Shard, phase: str, hold: Hold) -> tuple[dict[str, Columns], int]:
    """Return the shard's records by table, and how many of them come from earlier runs."""
    by_item = itemised(work.stage(phase))
    sources = sources_of(work, phase) if work.run.reuse else []
    if by_item and sources:
        labels = by_item.labels(work.spec, work.snapshots, shard.items)
        known = reused_records(sources, labels, shard.planned_rows)
        if known.rows:
            work.worker.report.advance(known.rows)
            return in_order(labels, known, _missing(work, shard, phase, by_item, known.missing, hold)), known.rows
    return _asked(work, phase, shard.items, work.worker.memo(work.run.pk), hold), 0


def _missing(
    work: Work, shard: Shard, phase: str, by_item: Itemised[Any], missing: pl.DataFrame, hold: Hold
) -> dict[str, Columns]:
    """Return the records of the missing items.

    They have their own memo, so that the batches of whole shards never depend on earlier runs.
    """
    if missing.is_empty():
        return {}
    items = by_item.only(work.spec, work.snapshots, shard.items, missing)
    return _asked(work, phase, items, work.worker.memo(work.run.pk).setdefault(ALONE, {}), hold)


def _asked(work: Work, phase: str, items: Any, memo: Memo, hold: Hold) -> dict[str, Columns]:
    def progress(count: int) -> None:
        hold.check()
        work.worker.report.advance(count)

    model = for_run(work, work.worker.model(checkpoint_of(work, phase), work.spec.dtype))
    if isinstance(model, RemoteModel) and work.spec.in_batches():
        answer_in_batches(work, phase, model, memo, hold)
    return work.stage(phase).execute(work.spec, work.snapshots, items, model, memo, progress, work.read)


def _load(run_id: int, shard: Shard, records: dict[str, Columns]) -> None:
    """Load the shard's records by COPY. Raises RuntimeError if the number of rows differs from the planned one."""
    written = {}
    for name, planned in shard.planned_rows.items():
        columns = records[name]
        written[name] = loaded = copying.copy_in(
            tables.record_table(name), _with_ids(name, run_id, shard.number, columns)
        )
        if planned is not None and loaded != planned:
            raise RuntimeError(f"shard {shard.number} wrote {loaded} rows of {name} instead of the {planned} planned")
    _count(shard, written)


def _count(shard: Shard, written: dict[str, int]) -> None:
    """Store the number of rows in the shard if it was open until now."""
    if written != shard.planned_rows:
        Shard.objects.filter(pk=shard.pk).update(planned_rows=written, size=item_count(written))


def _with_ids(table: str, run_id: int, number: int, columns: Columns) -> Columns:
    labelled = {name: columns[name] for name in LABELS[table] if name in columns}
    known = terms.ids_of({label for texts in labelled.values() for label in texts if label is not None})
    numbers = {name: [None if label is None else known[label] for label in texts] for name, texts in labelled.items()}
    size = len(next(iter(columns.values())))
    return {**columns, **numbers, "id": ids.record_ids(run_id, number, size), "run": [run_id] * size}
