"""Accuracy on multiple-choice questions: every question is answered by the model; shards by the questions' ids."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from plumbline.methods.question_accuracy.spec import METHODS, AccuracySpec
from plumbline.spec.banks.choice_questions import ChoiceQuestion
from plumbline.spec.card import Card
from plumbline.spec.errors import ModelError, SpecError
from plumbline.spec.measure import Measure
from workers.engine.causal import CausalModel
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.multiple_choice import FloatArray, MultipleChoiceModel
from workers.engine.options import option_faults, option_scores
from workers.probes.digest_shards import by_digest
from workers.probes.progress import in_items
from workers.probes.protocol import (
    AnyModel,
    Columns,
    Contents,
    Memo,
    Planned,
    Probe,
    Progress,
    Read,
    ShardPlan,
    Snapshots,
)
from workers.probes.question_accuracy.summary import summarise

SHARD = 64
"""Questions of a shard, or so."""
LAYOUT = "right answer last"
"""The label of the order of the options in every record."""


class AccuracyProbe:
    """The probe of one phase, with the table `choice`."""

    def __init__(self, card: Card) -> None:
        self.card = card

    def check(self, spec: AccuracySpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        """Raise InputError for a model of another kind, a scoring that it does not have, or unfit questions."""
        if checkpoint.kind not in self.card.model_kinds:
            raise ModelError(
                f"{spec.model} is of the kind {checkpoint.kind}; question_accuracy needs a multiple_choice or causal"
                " model."
            )
        if checkpoint.kind == Kind.MULTIPLE_CHOICE and spec.params.scoring != "mean_token":
            raise SpecError("params.scoring is for causal models: a multiple-choice model gives each option a logit.")
        spec.check(snapshots)

    def plan(self, spec: AccuracySpec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        """Lay the questions out in shards, by a digest of their ids."""
        self.check(spec, snapshots, checkpoint)
        banks = spec.banks(snapshots)
        shards = [
            ShardPlan(
                {"shard": number},
                {"choice": len(questions)},
                [[one.model_dump(mode="json"), banks[one.id]] for one in questions],
            )
            for number, questions in _by_shard(spec, snapshots).items()
        ]
        return Planned(shards, {spec.probe, "", LAYOUT, *banks, *banks.values()})

    def execute(
        self, spec: AccuracySpec, snapshots: Snapshots, items: Any, model: AnyModel, memo: Memo, progress: Progress
    ) -> dict[str, Columns]:
        """Answer the questions of a shard."""
        if "shards" not in memo:
            memo["shards"], memo["banks"] = _by_shard(spec, snapshots), spec.banks(snapshots)
        wanted = set(items.get("items", ()))
        questions = [one for one in memo["shards"][items["shard"]] if not wanted or one.id in wanted]
        scores, faults = _scored(spec, questions, model, progress)
        return {"choice": _columns(spec, questions, [memo["banks"][one.id] for one in questions], scores, faults)}

    def contents(self, spec: AccuracySpec, snapshots: Snapshots, checkpoint: Checkpoint, items: Any) -> Contents | None:
        """The questions, with the bank of each."""
        banks = spec.banks(snapshots)
        return Contents({"item": {one.id: (one, banks[one.id]) for one in spec.questions(snapshots)}})

    def labels(self, spec: AccuracySpec, snapshots: Snapshots, items: Any) -> pl.DataFrame:
        """One row per question."""
        return pl.DataFrame({"item": [one.id for one in _by_shard(spec, snapshots)[items["shard"]]]})

    def only(self, spec: AccuracySpec, snapshots: Snapshots, items: Any, missing: pl.DataFrame) -> Any:
        """The shard with these questions alone."""
        return {**items, "items": missing["item"].to_list()}

    def summarise(self, spec: AccuracySpec, snapshots: Snapshots, read: Read) -> list[Measure]:
        """The measures of a run."""
        return summarise(spec, spec.questions(snapshots), read("choice"))


PROBES: dict[str, Probe[Any]] = {"question_accuracy": AccuracyProbe(METHODS["question_accuracy"].card)}


def _by_shard(spec: AccuracySpec, snapshots: Snapshots) -> Mapping[int, list[ChoiceQuestion]]:
    return by_digest(spec.questions(snapshots), SHARD)


def _scored(
    spec: AccuracySpec, questions: Sequence[ChoiceQuestion], model: AnyModel, progress: Progress
) -> tuple[list[FloatArray], list[str]]:
    """Return the scores of each question's options, and why a question has none."""
    pairs = [pair for one in questions for pair in one.pairs]
    asked = in_items(progress, len(questions), len(pairs))
    if isinstance(model, MultipleChoiceModel):
        scores, faults = model.logits(pairs, asked), model.faults(pairs)
    elif isinstance(model, CausalModel):
        scores = option_scores(model, pairs, spec.params.scoring, asked)
        faults = option_faults(model.tokenizer, pairs, spec.params.scoring)
    else:
        raise TypeError(f"question_accuracy asks no {type(model).__name__}")
    ends = np.cumsum([len(one.options) for one in questions])[:-1]
    of_each = np.split(np.array(faults, dtype=object), ends)
    return list(np.split(scores, ends)), [next(filter(None, own), "") for own in of_each]


def _columns(
    spec: AccuracySpec,
    questions: Sequence[ChoiceQuestion],
    banks: Sequence[str],
    scores: Sequence[FloatArray],
    faults: Sequence[str],
) -> Columns:
    size = len(questions)
    answers = [None if fault else own.tolist() for own, fault in zip(scores, faults, strict=True)]
    return {
        "probe": [spec.probe] * size,
        "bank": list(banks),
        "item": [one.id for one in questions],
        **{name: [""] * size for name in ("category", "condition", "polarity", "name", "group")},
        "options": [LAYOUT] * size,
        "template": [None] * size,
        "logits": [None if one is None else json.dumps(one) for one in answers],
        "chosen": [None if one is None else int(np.argmax(one)) for one in answers],
        "gold": [len(one.others) for one in questions],
        "target": [None] * size,
        "unknown": [None] * size,
        "reason": [fault or None for fault in faults],
    }
