"""The association probes: one life cycle with several askers and readings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from plumbline.methods.association.spec import METHODS
from plumbline.spec.association import AssociationSpec
from plumbline.spec.card import Card
from plumbline.spec.measure import Measure
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.probes.association import planning, summary
from workers.probes.association.askers import asker_for
from workers.probes.association.distances import distances
from workers.probes.association.items import cells_named, contents_of, labels_of
from workers.probes.cell_scores import scoring
from workers.probes.cell_scores.asks import Query
from workers.probes.cell_scores.readings import Reading, log_probabilities
from workers.probes.progress import in_items
from workers.probes.protocol import AnyModel, Columns, Contents, Memo, Model, Planned, Probe, Progress, Read, Snapshots
from workers.probes.self_debias import as_asked, longest_description, self_debiasing

ALONE = "alone"
"""The key of the items of a shard whose other records are known. Only their own priors are queried."""


Spec = TypeVar("Spec", bound=AssociationSpec)


@dataclass(frozen=True, slots=True)
class AssociationProbe(Generic[Spec]):
    card: Card
    reading: Callable[[Spec], Reading]

    def check(self, spec: Spec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        materials = spec.materials(snapshots)
        described = longest_description(spec, snapshots, checkpoint)
        planning.check_spelling(materials, asker_for(spec, materials, checkpoint, described))

    def plan(self, spec: Spec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        materials, asked = spec.materials(snapshots), self_debiasing(spec, snapshots)
        described = longest_description(spec, snapshots, checkpoint)
        return planning.plan(spec, materials, checkpoint, asker_for(spec, materials, checkpoint, described), asked)

    def execute(
        self,
        spec: Spec,
        snapshots: Snapshots,
        items: Any,
        model: AnyModel,
        memo: Memo,
        progress: Progress,
    ) -> dict[str, Columns]:
        materials, alone = spec.materials(snapshots), isinstance(items, Mapping)
        cells = [(template, group, attribute) for template, group, attribute in (items[ALONE] if alone else items)]
        described = longest_description(spec, snapshots, model.checkpoint)
        asker, reading = asker_for(spec, materials, model.checkpoint, described), self.reading(spec)
        asked = as_asked(cast("Model", model), spec, snapshots)  # asker_for refused every other kind

        def answer(queries: list[Query], reported: int) -> npt.NDArray[np.float64]:
            return reading.answers(asked, queries, in_items(progress, reported, len(queries)))

        columns = scoring.score(materials, cells, asker, reading, answer, None if alone else memo)
        return {"association": {"probe": [spec.probe] * len(cells), **columns}}

    def contents(self, spec: Spec, snapshots: Snapshots, checkpoint: Checkpoint, items: Any) -> Contents:
        return contents_of(spec, spec.materials(snapshots), checkpoint.kind, self_debiasing(spec, snapshots))

    def labels(self, spec: Spec, snapshots: Snapshots, items: Any) -> pl.DataFrame:
        return labels_of(spec.materials(snapshots), items)

    def only(self, spec: Spec, snapshots: Snapshots, items: Any, missing: pl.DataFrame) -> Any:
        return {ALONE: cells_named(spec.materials(snapshots), missing)}

    def summarise(self, spec: Spec, snapshots: Snapshots, read: Read) -> list[Measure]:
        judgements, reading = spec.judgements(snapshots), self.reading(spec)
        return summary.summarise(spec, spec.materials(snapshots), read("association"), self.card, judgements, reading)


PROBES: dict[str, Probe[Any]] = {
    **{
        probe: AssociationProbe(METHODS[probe].card, log_probabilities)
        for probe in ("log_probability", "ilps", "ilps_chain")
    },
    "set": AssociationProbe(METHODS["set"].card, distances),
}
