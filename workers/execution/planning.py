"""Planning of a phase: its items in shards, each with a content key of everything that decides its answers."""

import time
from collections import Counter
from typing import Any

from django.db import transaction

from plumbline.audits import leases, life
from plumbline.audits.keys import DECISIVE, ONCE, content_key
from plumbline.audits.models import PLANNING, Phase, Run, Shard
from plumbline.audits.states import RunState, WorkState
from plumbline.results import partitions, terms
from plumbline.spec.errors import InputError
from plumbline.spec.reference import ModelReference
from plumbline.spec.registry import PROBES as METHODS
from workers.engine.loading import ENGINE_VERSION, Checkpoint, locate, provenance
from workers.execution.kept_phases import kept_facts
from workers.execution.servers import of_run, same_server, served, server_facts
from workers.execution.skipped_launches import ends_unchanged
from workers.execution.stages import stages_of
from workers.execution.worker import Work
from workers.probes.model_kinds import require_weights
from workers.probes.protocol import Done, Planned, ShardPlan, Stage

STAGES = "stages"
"""The key in a run's provenance under which a run of several phases records each phase."""


def plan(work: Work, phase: Phase, lease: leases.Lease) -> None:
    """Plan the shards of the next phase. Raises InputError if the words or the model cannot be used."""
    began = time.monotonic()
    work.worker.report.stage(phase.name, 1, lambda: 0)
    target = Phase.objects.get(run=work.run, position=phase.position + 1)
    is_first, stage = phase.name == PLANNING, work.stage(target.name)
    checkpoint = locate(stage.reference(work.spec)) if is_first else checkpoint_of(work, target.name)
    before = [] if is_first else _done_before(work.run, target)
    require_weights(work.spec, stage.reference(work.spec), checkpoint)
    planned = stage.plan(work.spec, work.snapshots, checkpoint, before)
    facts = _planned_facts(work, stage, checkpoint) if is_first else _known_facts(work, target.name, checkpoint)
    _fits_its_base(work, facts)
    if is_first:
        facts = kept_facts(work, target.name, planned.shards, facts, STAGES)
    first = Shard.objects.filter(run=work.run).count()
    shards = [_shard(work.run, target, number, shard, facts) for number, shard in enumerate(planned.shards, first)]
    rest = {"provenance": _provenance(work, target.name, facts)} if is_first else {}
    with transaction.atomic():
        life.lock(work.run.pk)
        if not leases.finish(lease, time.monotonic() - began):
            return
        if _last(work, target.name) and ends_unchanged(work.run, shards):
            return
        _lay_out(work.run, shards, planned, rest)
    work.worker.report.advance(1)


def _lay_out(run: Run, shards: list[Shard], planned: Planned, rest: dict[str, Any]) -> None:
    Shard.objects.bulk_create(shards)
    terms.ids_of(planned.labels)
    partitions.prepare(run.pk, _rows(planned.shards))
    life.count_items(run.pk)
    if rest:
        Run.objects.filter(pk=run.pk).update(**rest)


def _rows(shards: list[ShardPlan]) -> Counter[str]:
    """Return the number of rows of each table, as far as it is known."""
    found: Counter[str] = Counter()
    for shard in shards:
        found.update({table: shard.expected if rows is None else rows for table, rows in shard.rows.items()})
    return found


def _last(work: Work, phase: str) -> bool:
    return phase == list(stages_of(work.spec))[-1]


def _done_before(run: Run, target: Phase) -> list[Done]:
    """Return the shards of the phase before `target`."""
    phase = Phase.objects.filter(run=run, sharded=True, position__lt=target.position).latest("position")
    found = Shard.objects.filter(phase=phase).order_by("number")
    return [Done(one.number, one.key, one.items, one.planned_rows) for one in found]


def facts_of(work: Work, stage: Stage[Any], checkpoint: Checkpoint) -> dict[str, Any]:
    """Return what decides the answers besides the words: model, engine, versions, device, dtype, seed."""
    return {
        **provenance(checkpoint, dtype=work.spec.dtype),
        **served(checkpoint),
        "engine": ENGINE_VERSION,
        "probe_version": METHODS[work.run.probe].card.version,
        "seed": work.spec.seed,
        "params": stage.params(work.spec),
        **_names_seen(work, checkpoint),
    }


def _planned_facts(work: Work, stage: Stage[Any], checkpoint: Checkpoint) -> dict[str, Any]:
    """Return the facts of a phase, with the canary of a model behind a server. Raises ModelError if it is unfit."""
    return {**facts_of(work, stage, checkpoint), **server_facts(checkpoint, work.worker.limiter_at)}


def _known_facts(work: Work, phase: str, checkpoint: Checkpoint) -> dict[str, Any]:
    """Return the facts of a later phase, whose server was questioned when the run was planned."""
    planned = work.run.provenance.get(STAGES, {}).get(phase, work.run.provenance)
    once = {ONCE: planned[ONCE]} if ONCE in planned else {}
    return {**facts_of(work, work.stage(phase), checkpoint), **once}


def _names_seen(work: Work, checkpoint: Checkpoint) -> dict[str, list[str]]:
    """Return the names of the run that occur in the model's fine-tuning text, if that is known."""
    people = work.spec.people(work.snapshots)
    if not people or checkpoint.names_seen is None:
        return {}
    return {"names_seen": sorted(checkpoint.names_seen.intersection(people))}


def _provenance(work: Work, first: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the provenance of the model under audit, with that of each phase if phases use several models.

    All models are located at planning, so that none has changed when its phase starts.
    """
    stages = stages_of(work.spec)
    if len(stages) == 1:
        return facts
    found = {first: facts}
    for name, stage in stages.items():
        if name != first:
            found[name] = _planned_facts(work, stage, locate(stage.reference(work.spec)))
    audited = next(name for name, stage in stages.items() if stage.reference(work.spec) == work.run.model)
    return {**found[audited], STAGES: found}


def _shard(run: Run, phase: Phase, number: int, shard: ShardPlan, facts: dict[str, Any]) -> Shard:
    return Shard(
        run=run,
        phase=phase,
        number=number,
        key=content_key(run.probe, shard.inputs, facts),
        items=shard.items,
        planned_rows=dict(shard.rows),
        size=shard.size,
        state=WorkState.READY,
    )


def checkpoint_of(work: Work, phase: str) -> Checkpoint:
    """Return the checkpoint that the phase was planned with, located once per worker and run.

    A hub model is taken at its commit. Raises InputError if the model has changed.
    """
    known, key = work.worker.checkpoints, (work.run.pk, phase)
    if key not in known:
        planned = work.run.provenance.get(STAGES, {}).get(phase, work.run.provenance)
        stage = work.stage(phase)
        checkpoint = locate(ModelReference.parse(stage.reference(work.spec)).at(planned["revision"]))
        _same_as_planned(facts_of(work, stage, checkpoint), planned, work.run)
        checkpoint = of_run(checkpoint, planned)
        work.worker.checkpoints = {key: checkpoint}
    return work.worker.checkpoints[key]


def _fits_its_base(work: Work, facts: dict[str, Any]) -> None:
    """Check the run that this one adds to: it must be done and of the same model. Raises InputError otherwise."""
    if (number := work.spec.base()) is None:
        return
    base = Run.objects.filter(pk=number, probe=work.run.probe, state=RunState.DONE).first()
    if base is None:
        raise InputError(f"run {number}, to which this one adds, is not there or not done.")
    _same_as_planned(facts, base.provenance, base)
    if not same_server(facts, base.provenance):
        raise InputError(f"the server has another model than when run {number} asked it: launch a new run.")


def _same_as_planned(now: dict[str, Any], planned: dict[str, Any], run: Run) -> None:
    """Raise InputError if anything that decides answers has changed since planning.

    Otherwise new answers would be stored under the old keys.
    """
    if changed := [name for name in DECISIVE if now[name] != planned[name]]:
        raise InputError(
            f"{', '.join(changed)} of {planned['model']} changed since run {run.pk} was planned:"
            " launch a new run, which uses what is unchanged again."
        )
