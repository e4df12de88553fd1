"""The association probes: one life, several ways of asking and of reading the answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from plumbline.methods.association.spec import METHODS
from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import AuditSpec
from plumbline.spec.card import Card
from plumbline.spec.measure import Measure
from workers.engine.checkpoint import Checkpoint
from workers.probes.association import planning, summary
from workers.probes.association.askers import asker_for
from workers.probes.association.distances import distances
from workers.probes.association.items import cells_named, contents_of, labels_of
from workers.probes.cell_scores import scoring
from workers.probes.cell_scores.asks import Query
from workers.probes.cell_scores.readings import Reading, log_probabilities
from workers.probes.progress import in_items
from workers.probes.protocol import AnyModel, Columns, Contents, Memo, Model, Planned, Probe, Progress, Read, Snapshots

ALONE = "alone"
"""Some cells of a shard, the others of which are known: they ask no more priors than their own."""


@dataclass(frozen=True, slots=True)
class AssociationProbe:
    card: Card
    reading: Callable[[AssociationSpec], Reading]

    def check(self, spec: AuditSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        own = cast("AssociationSpec", spec)
        materials = own.materials(snapshots)
        planning.check_spelling(materials, asker_for(own, materials, checkpoint))

    def plan(self, spec: AuditSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        own = cast("AssociationSpec", spec)
        materials = own.materials(snapshots)
        return planning.plan(own, materials, checkpoint, asker_for(own, materials, checkpoint))

    def execute(
        self,
        spec: AuditSpec,
        snapshots: Snapshots,
        items: Any,
        model: AnyModel,
        memo: Memo,
        progress: Progress,
    ) -> dict[str, Columns]:
        own = cast("AssociationSpec", spec)
        materials, alone = own.materials(snapshots), isinstance(items, Mapping)
        cells = [(template, group, attribute) for template, group, attribute in (items[ALONE] if alone else items)]
        asked = cast("Model", model)  # asker_for refused every other kind
        asker, reading = asker_for(own, materials, model.checkpoint), self.reading(own)

        def answer(queries: list[Query], reported: int) -> npt.NDArray[np.float64]:
            return reading.answers(asked, queries, in_items(progress, reported, len(queries)))

        columns = scoring.score(materials, cells, asker, reading, answer, None if alone else memo)
        return {"association": {"probe": [spec.probe] * len(cells), **columns}}

    def contents(self, spec: AuditSpec, snapshots: Snapshots, checkpoint: Checkpoint, items: Any) -> Contents:
        own = cast("AssociationSpec", spec)
        return contents_of(own, own.materials(snapshots), checkpoint.kind)

    def labels(self, spec: AuditSpec, snapshots: Snapshots, items: Any) -> pl.DataFrame:
        return labels_of(cast("AssociationSpec", spec).materials(snapshots), items)

    def only(self, spec: AuditSpec, snapshots: Snapshots, items: Any, missing: pl.DataFrame) -> Any:
        return {ALONE: cells_named(cast("AssociationSpec", spec).materials(snapshots), missing)}

    def summarise(self, spec: AuditSpec, snapshots: Snapshots, read: Read) -> list[Measure]:
        own = cast("AssociationSpec", spec)
        judgements, reading = own.judgements(snapshots), self.reading(own)
        return summary.summarise(own, own.materials(snapshots), read("association"), self.card, judgements, reading)


READINGS: dict[str, Callable[[AssociationSpec], Reading]] = {
    "log_probability": log_probabilities,
    "ilps": log_probabilities,
    "ilps_chain": log_probabilities,
    "set": distances,
}
PROBES: dict[str, Probe] = {
    probe: AssociationProbe(METHODS[probe].card, reading) for probe, reading in READINGS.items()
}
