"""Earlier runs that may hold items of a run: those with the same model, versions and params."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.keys import decisive
from plumbline.audits.models import Run, Shard
from plumbline.audits.states import RunState
from plumbline.spec.errors import InputError
from workers.execution.planning import STAGES, checkpoint_of
from workers.execution.stages import itemised, stages_of
from workers.execution.worker import Source, Work
from workers.probes.protocol import Contents


def sources_of(work: Work, phase: str) -> list[Source]:
    """Return the runs that hold items of this phase, cached per worker and run."""
    known, key = work.worker.sources, (work.run.pk, phase)
    if key not in known:
        work.worker.sources = {key: list(_found(work, phase))}
    return work.worker.sources[key]


def _found(work: Work, phase: str) -> Iterator[Source]:
    """Yield finished runs first, the latest first, and only one finished run of each frozen spec."""
    own, seen = _contents(work, work.run, phase), set[str]()
    if own is None:
        return
    for run in _alike(work.run, _phases_until(work, phase)):
        spec = json.dumps(run.spec, sort_keys=True)
        if spec in seen:
            continue
        if run.state == RunState.DONE:
            seen.add(spec)
        theirs = _contents(work, run, phase)
        if theirs is not None and theirs.rest == own.rest and any((same := same_contents(own, theirs)).values()):
            yield Source(run.pk, same)


def _phases_until(work: Work, phase: str) -> list[str]:
    """Return this phase and those before it, whose records it uses."""
    names = list(stages_of(work.spec))
    return names[: names.index(phase) + 1]


def _alike(run: Run, phases: list[str]) -> list[Run]:
    facts = [_facts(run, phase) for phase in phases]
    others = Run.objects.filter(probe=run.probe).exclude(pk=run.pk).exclude(provenance={}).order_by("-pk")
    found = [one for one in others if [_facts(one, phase) for phase in phases] == facts]
    return sorted(found, key=lambda one: one.state != RunState.DONE)


def _facts(run: Run, phase: str) -> dict[str, Any]:
    return decisive(run.provenance.get(STAGES, {}).get(phase, run.provenance))


def _contents(work: Work, run: Run, phase: str) -> Contents | None:
    """Return the content of a run's labels; None without shards, or for a spec that this release cannot read."""
    shard = Shard.objects.filter(run=run, phase__name=phase).first()
    if shard is None:
        return None
    try:
        spec, snapshots = (work.spec, work.snapshots) if run.pk == work.run.pk else frozen_spec(run)
    except InputError:
        return None
    found = itemised(stages_of(spec)[phase])
    return None if found is None else found.contents(spec, snapshots, checkpoint_of(work, phase), shard.items)


def same_contents(own: Contents, theirs: Contents) -> dict[str, frozenset[str]]:
    """Return by column the labels with the same content in both runs."""
    return {column: _same_labels(axis, theirs.axes.get(column, {})) for column, axis in own.axes.items()}


def _same_labels(own: Mapping[str, Any], theirs: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(label for label, content in own.items() if label in theirs and theirs[label] == content)
