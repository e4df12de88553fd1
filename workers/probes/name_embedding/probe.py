"""The name embedding probe: a single shard embeds, classifies and maps, because each step needs all names."""

import json
from collections.abc import Sequence
from typing import Any, cast

from plumbline.methods.name_embedding.spec import (
    CONFOUNDS,
    PARTS,
    LabelledName,
    NameEmbeddingSpec,
    faults_of,
    traits_of,
)
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.embeddings import Contextual
from workers.probes.model_kinds import require_kind
from workers.probes.name_embedding import summary
from workers.probes.name_embedding.answers import AXES, EMBEDDING, choices, features_of, item, places
from workers.probes.name_embedding.embedding import Embedded, embedded
from workers.probes.protocol import AnyModel, Columns, Memo, Planned, Probe, Progress, Read, ShardPlan, Snapshots

ALL = "all names"


class NameEmbeddingProbe:
    def check(self, spec: NameEmbeddingSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        require_kind(spec, checkpoint)

    def plan(self, spec: NameEmbeddingSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        self.check(spec, snapshots, checkpoint)
        names, contexts = spec.names_of(snapshots), [one.context for one in spec.texts_of(snapshots)]
        traits = traits_of(names)
        rows = len(names) * len(traits) * 2 * spec.params.splits
        inputs = {"names": [one.model_dump(mode="json") for one in names], "contexts": contexts}
        plan = ShardPlan(ALL, {"choice": None, "association": len(AXES) * len(names)}, inputs, expected=rows)
        return Planned([plan], _labels(spec, names, traits))

    def execute(
        self, spec: NameEmbeddingSpec, snapshots: Snapshots, items: Any, model: AnyModel, memo: Memo, progress: Progress
    ) -> dict[str, Columns]:
        names, contexts = spec.names_of(snapshots), spec.texts_of(snapshots)
        found = [embedded(cast("Contextual", model), one.name, contexts, progress) for one in names]
        sound = [(name, one) for name, one in zip(names, found, strict=True) if isinstance(one, Embedded)]
        known = [name for name, _ in sound]
        if fault := faults_of(known, traits_of(names)):
            raise InputError(f"of the names that {spec.model} can read, {fault}")
        _all_kinds(spec, names, known)
        features = features_of(known, [one for _, one in sound])
        answers = choices(spec.probe, known, features, spec.params, spec.seed)
        progress(len(answers["name"]) + len(AXES) * len(names))
        return {"choice": answers, "association": places(spec.probe, names, found, spec.seed)}

    def summarise(self, spec: NameEmbeddingSpec, snapshots: Snapshots, read: Read) -> list[Measure]:
        return summary.summarise(spec, read("choice"), read("association"))


PROBES: dict[str, Probe[Any]] = {"name_embedding": NameEmbeddingProbe()}


def _all_kinds(spec: NameEmbeddingSpec, names: Sequence[LabelledName], known: Sequence[LabelledName]) -> None:
    for trait in traits_of(names):
        if lost := {getattr(one, trait) for one in names} - {getattr(one, trait) for one in known}:
            raise InputError(
                f"{spec.model} can read no name of the {trait} {min(lost)!r}: take others, or leave it out."
            )


def _labels(spec: NameEmbeddingSpec, names: Sequence[LabelledName], traits: Sequence[str]) -> set[str]:
    kinds = (json.dumps(sorted({getattr(one, trait) for one in names}), ensure_ascii=False) for trait in traits)
    features = (EMBEDDING, CONFOUNDS)
    items = (
        item(trait, kind, split, part)
        for trait in traits
        for kind in features
        for split in range(spec.params.splits)
        for part in PARTS
    )
    own = (text for one in names for text in (one.name, one.group))
    return {spec.probe, "", *AXES, *traits, *features, *PARTS, *kinds, *items, *own}
