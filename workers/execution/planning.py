"""Planning a run: its items laid out in shards, each named by what decides its answers."""

import time
from typing import Any

from django.db import transaction

from plumbline.audits import leases, life
from plumbline.audits.keys import DECISIVE, content_key
from plumbline.audits.models import Phase, Run, Shard
from plumbline.audits.states import WorkState
from plumbline.results import partitions, terms
from plumbline.spec.errors import InputError
from plumbline.spec.reference import ModelReference
from plumbline.spec.registry import PROBES as METHODS
from workers.engine.loading import ENGINE_VERSION, Checkpoint, locate, provenance
from workers.execution.unchanged import ends_unchanged
from workers.execution.worker import Work
from workers.probes.protocol import ShardPlan


def plan(work: Work, phase: Phase, lease: leases.Lease) -> None:
    """Lay the run's items out in shards. Raises InputError for what is wrong with the words or the model."""
    began = time.monotonic()
    work.worker.report.stage("planning", 1, lambda: 0)
    checkpoint = locate(work.run.model)
    planned = work.probe.plan(work.spec, work.snapshots, checkpoint)
    facts = facts_of(work, checkpoint)
    target = Phase.objects.get(run=work.run, position=phase.position + 1)
    rows = sum(sum(shard.rows.values()) for shard in planned.shards)
    shards = [_shard(work.run, target, number, shard, facts) for number, shard in enumerate(planned.shards)]
    with transaction.atomic():
        life.lock(work.run.pk)
        if not leases.finish(lease, time.monotonic() - began) or ends_unchanged(work.run, shards):
            return
        Shard.objects.bulk_create(shards)
        terms.ids_of(planned.labels)
        partitions.prepare(work.run.pk, rows)
        Run.objects.filter(pk=work.run.pk).update(planned_items=rows, provenance=facts)
    work.worker.report.advance(1)


def facts_of(work: Work, checkpoint: Checkpoint) -> dict[str, Any]:
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
        size=sum(shard.rows.values()),
        state=WorkState.READY,
    )


def checkpoint_of(work: Work) -> Checkpoint:
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
    now, planned = facts_of(work, checkpoint), work.run.provenance
    if changed := [name for name in DECISIVE if now[name] != planned[name]]:
        raise InputError(
            f"{', '.join(changed)} of {work.run.model} changed since run {work.run.pk} was planned:"
            " launch a new run, which uses what is unchanged again."
        )
