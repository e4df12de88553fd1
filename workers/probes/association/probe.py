"""The three association probes: one life, three ways of asking."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import AuditSpec
from plumbline.spec.card import Card
from plumbline.spec.errors import ModelError
from plumbline.spec.measure import Measure
from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.checkpoint import Checkpoint
from workers.engine.masked import MaskedModel, MaskedQuery
from workers.engine.vocabulary import released_classes
from workers.probes.association import planning, scoring, summary
from workers.probes.association.askers import asker_for
from workers.probes.association.asks import Query
from workers.probes.protocol import Columns, Memo, Model, Planned, Progress, Read, Snapshots


@dataclass(frozen=True, slots=True)
class AssociationProbe:
    card: Card

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
        model: Model,
        memo: Memo,
        progress: Progress,
    ) -> dict[str, Columns]:
        own = cast("AssociationSpec", spec)
        materials = own.materials(snapshots)
        cells = [(template, group, attribute) for template, group, attribute in items]
        asker = asker_for(own, materials, model.checkpoint)

        def answer(queries: list[Query], reported: int) -> npt.NDArray[np.float64]:
            return _answer(model, queries, _in_items(progress, reported, len(queries)))

        columns = scoring.score(materials, cells, asker, answer, memo)
        return {"association": {"probe": [spec.probe] * len(cells), **columns}}

    def summarise(self, spec: AuditSpec, snapshots: Snapshots, read: Read) -> list[Measure]:
        own = cast("AssociationSpec", spec)
        return summary.summarise(own, own.materials(snapshots), read("association"), self.card)


def _answer(model: Model, queries: list[Query], progress: Progress) -> npt.NDArray[np.float64]:
    """Natural logs [queries]. ModelError for a model that gives no numbers: its records would look unscorable."""
    answers = _log_probabilities(model, queries, progress)
    if np.isnan(answers).any():
        raise ModelError(
            f"{model.checkpoint.reference} answers NaN in place of log probabilities: its weights are broken, or too"
            " large for the dtype; fetch it anew, or use dtype float32."
        )
    return answers


def _log_probabilities(model: Model, queries: list[Query], progress: Progress) -> npt.NDArray[np.float64]:
    if isinstance(model, MaskedModel):
        asked = cast("list[MaskedQuery]", queries)
        normalised = any(query.within for query in asked)
        classes = released_classes(model.tokenizer, model.vocabulary_size) if normalised else None
        return model.log_probabilities(asked, classes, progress)
    assert isinstance(model, CausalModel)  # noqa: S101 -- asker_for refused every other kind
    return model.log_probabilities(cast("list[CausalQuery]", queries), progress)


def _in_items(progress: Progress, items: int, queries: int) -> Progress:
    """Progress over queries, told in items: the callback takes how many queries were answered since the last call."""
    done = 0

    def advance(answered: int) -> None:
        nonlocal done
        before, done = done, done + answered
        progress(done * items // queries - before * items // queries)

    return advance
