"""The phases of a probe in one form, for probes with one or several phases."""

from collections.abc import Callable, Sequence
from typing import Any

from plumbline.spec.audit import AuditSpec
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES as METHODS
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.probes.protocol import (
    AnyModel,
    Columns,
    Done,
    Itemised,
    Memo,
    Planned,
    Probe,
    Progress,
    Read,
    Snapshots,
    Stage,
    StagedProbe,
)
from workers.probes.registry import PROBES


class _OnlyStage:
    """The phase of a probe that has only one."""

    def __init__(self, probe: Probe[Any]) -> None:
        self.probe = probe

    def reference(self, spec: AuditSpec) -> str:
        return spec.model

    def params(self, spec: AuditSpec) -> dict[str, Any]:
        return spec.scoring_params()

    def check(self, spec: AuditSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        self.probe.check(spec, snapshots, checkpoint)

    def plan(self, spec: AuditSpec, snapshots: Snapshots, checkpoint: Checkpoint, before: Sequence[Done]) -> Planned:
        return self.probe.plan(spec, snapshots, checkpoint)

    def execute(
        self,
        spec: AuditSpec,
        snapshots: Snapshots,
        items: Any,
        model: AnyModel,
        memo: Memo,
        progress: Progress,
        read: Read,
    ) -> dict[str, Columns]:
        return self.probe.execute(spec, snapshots, items, model, memo, progress)


def stages_of(spec: AuditSpec) -> dict[str, Stage[Any]]:
    """Return the stages that the audit needs, by phase, in order."""
    names = spec.phases(METHODS[spec.probe].card.phases)
    probe = PROBES[spec.probe]
    if isinstance(probe, StagedProbe):
        return {name: probe.stages[name] for name in names}
    return {name: _OnlyStage(probe) for name in names}


def itemised(stage: Stage[Any]) -> Itemised[Any] | None:
    """Return the interface for the stage's records by item, or None if its records depend on each other."""
    own = stage.probe if isinstance(stage, _OnlyStage) else stage
    return own if isinstance(own, Itemised) else None


def summariser(spec: AuditSpec) -> Callable[[AuditSpec, Snapshots, Read], list[Measure]]:
    return PROBES[spec.probe].summarise
