"""The GAP probe: planning in two shards (the passages, the words of their topics), execution of both, summary."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, cast
from unicodedata import normalize

import numpy as np

from plumbline.methods.association.log_probability import LogProbabilitySpec
from plumbline.methods.gap.spec import GapSpec
from plumbline.spec.banks.passages import FEMININE, MASCULINE, NEITHER, Passage
from plumbline.spec.content import Attribute, Group
from plumbline.spec.digests import digest
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from plumbline.spec.prior import Prior
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.embeddings import Contextual
from workers.engine.masked import mask_token_id
from workers.engine.sentences import encode
from workers.probes.cell_scores import scoring
from workers.probes.cell_scores.asks import Asker, Encode, Query
from workers.probes.cell_scores.causal import Continuation
from workers.probes.cell_scores.cells import all_cells
from workers.probes.cell_scores.masked import LogProbability
from workers.probes.cell_scores.readings import log_probabilities
from workers.probes.gap import summary
from workers.probes.gap.resolver import out_of_fold
from workers.probes.gap.spans import Encoding, encodings
from workers.probes.gap.topics import Topics, topics_of
from workers.probes.model_kinds import require_kind
from workers.probes.protocol import AnyModel, Columns, Memo, Model, Planned, Probe, Progress, Read, ShardPlan, Snapshots
from workers.probes.span_embeddings import span_embeddings

TEMPLATE = "{group} are interested in {attribute}"
"""Kurita et al. 2019, section 4."""
MEN, WOMEN = "men", "women"
PASSAGES, WORDS = "passages", "words"
CUT = "cut"
TOO_FEW = "too few passages can be embedded to train a classifier"


class GapProbe:
    def check(self, spec: GapSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        require_kind(spec, checkpoint)

    def plan(self, spec: GapSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        self.check(spec, snapshots, checkpoint)
        passages = spec.passages(snapshots)
        words = _topics(spec, passages).vocabulary
        cells = [[MEN, WOMEN], words, TEMPLATE]
        shards = [
            ShardPlan(PASSAGES, {"choice": len(passages)}, {"bank": spec.slug, "passages": _digest(passages)}),
            ShardPlan(WORDS, {"association": 2 * len(words)}, {"cells": cells, "topics": "words"}),
        ]
        labels = {spec.probe, "", spec.slug, CUT, FEMININE, MASCULINE, TEMPLATE, MEN, WOMEN, *words}
        labels |= {label for passage in passages for label in (passage.id, _options(passage))}
        return Planned(shards, labels)

    def execute(
        self, spec: GapSpec, snapshots: Snapshots, items: Any, model: AnyModel, memo: Memo, progress: Progress
    ) -> dict[str, Columns]:
        passages = spec.passages(snapshots)
        if items == PASSAGES:
            return {"choice": _choices(spec, passages, cast("Contextual", model), progress)}
        words = _topics(spec, passages).vocabulary
        return {"association": _associations(spec, words, cast("Model", model), progress)}

    def summarise(self, spec: GapSpec, snapshots: Snapshots, read: Read) -> list[Measure]:
        passages = spec.passages(snapshots)
        topics, records = _topics(spec, passages), read("association")
        words = word_spec(spec, topics.vocabulary)
        return summary.summarise(spec, passages, topics, words, read("choice"), records)


PROBES: dict[str, Probe[Any]] = {"gap": GapProbe()}


def _topics(spec: GapSpec, passages: Sequence[Passage]) -> Topics:
    params = spec.params
    texts = [normalize("NFC", passage.text) for passage in passages]
    return topics_of(texts, params.topics, params.words, spec.seed)


def _digest(passages: Sequence[Passage]) -> str:
    return digest([passage.model_dump() for passage in passages])


def _options(passage: Passage) -> str:
    return json.dumps(passage.options, ensure_ascii=False)


def word_spec(spec: GapSpec, words: Sequence[str]) -> LogProbabilitySpec:
    """Return the spec of the log probability bias of topics' words, men minus women, as for an audit of its own."""
    return LogProbabilitySpec.model_validate(
        {
            "name": spec.name,
            "probe": "log_probability",
            "model": spec.model,
            "seed": spec.seed,
            "dtype": spec.dtype,
            "families": spec.families,
            "groups": {"inline": [{"label": MEN}, {"label": WOMEN}]},
            "attributes": {"inline": list(words)},
            "templates": {"inline": [TEMPLATE]},
            "params": {key: getattr(spec.params, key) for key in ("permutations", "resamples", "level")},
        }
    )


def _associations(spec: GapSpec, words: Sequence[str], model: Model, progress: Progress) -> Columns:
    """Return association records of the words. Words that the tokenizer cannot spell stay as not scorable."""
    materials = Materials(
        templates=(TEMPLATE,),
        groups=(Group(label=MEN), Group(label=WOMEN)),
        attributes=tuple(Attribute(text=word) for word in words),
        categories=("",) * len(words),
    )
    asked = word_spec(spec, words)
    asker, reading = _asker(asked, materials, model.checkpoint), log_probabilities(asked)

    def answer(queries: list[Query], _: int) -> Any:
        return reading.answers(model, queries, lambda _: progress(0))

    columns = scoring.score(materials, all_cells(materials), asker, reading, answer, {})
    progress(len(columns["score"]))
    return {"probe": [spec.probe] * len(columns["score"]), **columns}


def _asker(spec: LogProbabilitySpec, materials: Materials, checkpoint: Checkpoint) -> Asker:
    """Return the asker of the log probability bias with the default params of its probe."""
    encoder: Encode = partial(encode, checkpoint.tokenizer)
    if checkpoint.kind == Kind.CAUSAL:
        return Continuation(materials, Prior(mean=True), encoder)
    mask = mask_token_id(checkpoint)
    return LogProbability(materials, encoder, mask, prior_masks=spec.params.prior_masks)


def _choices(spec: GapSpec, passages: Sequence[Passage], model: Contextual, progress: Progress) -> Columns:
    """Return one row per passage; a passage that the model cannot read has a reason instead of an answer."""
    found = encodings(model.tokenizer, passages)
    answers = _answers(spec, passages, found, model, progress)
    reasons = [
        one.encoded.fault or (TOO_FEW if answer is None else "") for one, answer in zip(found, answers, strict=True)
    ]
    progress(len(passages))
    rows = len(passages)
    return {
        "probe": [spec.probe] * rows,
        "bank": [spec.slug] * rows,
        "item": [passage.id for passage in passages],
        "category": [""] * rows,
        "condition": [CUT if one.cut else "" for one in found],
        "polarity": [""] * rows,
        "name": [""] * rows,
        "group": [passage.gender for passage in passages],
        "options": [_options(passage) for passage in passages],
        "logits": [None if answer is None else json.dumps(answer) for answer in answers],
        "chosen": [None if answer is None else int(np.argmax(answer)) for answer in answers],
        "gold": [passage.gold for passage in passages],
        "target": [None] * rows,
        "unknown": [NEITHER] * rows,
        "reason": [reason or None for reason in reasons],
    }


def _answers(
    spec: GapSpec, passages: Sequence[Passage], found: Sequence[Encoding], model: Contextual, progress: Progress
) -> list[list[float] | None]:
    """Return log probabilities of A, B and neither; None for a passage that cannot be embedded."""
    answers: list[list[float] | None] = [None] * len(passages)
    sound = [row for row, one in enumerate(found) if not one.encoded.fault]
    if len(sound) < 2 * spec.params.folds:
        return answers
    features = span_embeddings(model, [found[row].encoded for row in sound], progress)
    gold = np.array([passages[row].gold for row in sound])
    strata = 2 * gold + np.array([passages[row].gender == FEMININE for row in sound])
    told = out_of_fold(features, gold, strata, spec.params, spec.seed, lambda: progress(0))
    for row, answer in zip(sound, told.tolist(), strict=True):
        answers[row] = answer
    return answers
