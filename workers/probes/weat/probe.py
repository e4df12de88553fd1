"""The WEAT probe: planning by template, embedding, cosines as association records."""

from dataclasses import asdict
from typing import Any, cast

import polars as pl

from plumbline.methods.weat.spec import WeatSpec, sentence
from plumbline.spec.errors import ModelError, SpecError
from plumbline.spec.measure import Measure
from plumbline.spec.sentences import attribute_word
from plumbline.spec.word_sets import WordSets
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.embeddings import Contextual
from workers.engine.loading import locate
from workers.engine.spelling import spell
from workers.engine.word_vectors import StaticVectors
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
from workers.probes.weat import summary
from workers.probes.weat.cosines import Embedded, columns
from workers.probes.weat.embedding import from_file, in_template

CARD_KINDS = "masked, causal or encoder models, or files of word vectors"


class WeatProbe:
    def check(self, spec: WeatSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        _filler(spec, checkpoint)

    def plan(self, spec: WeatSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        """Plan a shard for each template, or a single one for word vectors."""
        words, filler = spec.words(snapshots), _filler(spec, checkpoint)
        absent = _absent(spec, words)
        templates = spec.texts(snapshots) or ("",)
        shards = [_shard(words, template, filler, absent) for template in templates]
        labels = {spec.probe, *templates, *(word.text for word in (*words.targets, *words.attributes))}
        return Planned(shards, labels)

    def execute(
        self, spec: WeatSpec, snapshots: Snapshots, items: Any, model: AnyModel, memo: Memo, progress: Progress
    ) -> dict[str, Columns]:
        words, template, absent = _words(spec, snapshots, items), items["template"], items["absent"]
        embedded = _embedded(spec, words, template, model)
        embedded = Embedded(*({**side, **_left_out(side, absent)} for side in (embedded.targets, embedded.attributes)))
        found = columns(words, template, embedded)
        progress(len(found["score"]))
        return {"association": {"probe": [spec.probe] * len(found["score"]), **found}}

    def contents(self, spec: WeatSpec, snapshots: Snapshots, checkpoint: Checkpoint, items: Any) -> Contents:
        """Return the contents: words in their forms, with the reason if they are left out.

        Templates are their own content.
        """
        words = spec.words(snapshots)
        absent = _absent(spec, words)
        axes = {
            column: {word.text: (attribute_word(word), absent.get(word.text)) for word in side}
            for column, side in (("group", words.targets), ("attribute", words.attributes))
        }
        templates = dict.fromkeys(spec.texts(snapshots) or ("",))
        return Contents({"template": templates, **axes}, rest=_filler(spec, checkpoint))

    def labels(self, spec: WeatSpec, snapshots: Snapshots, items: Any) -> pl.DataFrame:
        words = spec.words(snapshots)
        pairs = [(items["template"], target.text, word.text) for target in words.targets for word in words.attributes]
        return pl.DataFrame(pairs, schema=["template", "group", "attribute"], orient="row")

    def only(self, spec: WeatSpec, snapshots: Snapshots, items: Any, missing: pl.DataFrame) -> Any:
        """Return the items restricted to missing ones; a new word is embedded with all words of the other side."""
        return {**items, "targets": missing["group"].to_list(), "attributes": missing["attribute"].to_list()}

    def summarise(self, spec: WeatSpec, snapshots: Snapshots, read: Read) -> list[Measure]:
        return summary.summarise(spec, spec.words(snapshots), spec.texts(snapshots) or ("",), read("association"))


PROBES: dict[str, Probe[Any]] = {"weat": WeatProbe()}


def _words(spec: WeatSpec, snapshots: Snapshots, items: Any) -> WordSets:
    """Return all words, or those of the missing items."""
    words = spec.words(snapshots)
    if "targets" not in items:
        return words
    targets, attributes = set(items["targets"]), set(items["attributes"])
    x, y = (tuple(one for one in side if one.text in targets) for side in (words.x, words.y))
    a, b = (tuple(one for one in side if one.text in attributes) for side in (words.a, words.b))
    return WordSets(x, y, a, b, words.names)


def _embedded(spec: WeatSpec, words: WordSets, template: str, model: AnyModel) -> Embedded:
    if isinstance(model, StaticVectors):
        return from_file(model, words)
    filler = _filler(spec, model.checkpoint)
    return in_template(cast("Contextual", model), words, template, filler, whole=spec.params.subwords == "remove")


def _left_out(side: dict[str, Any], absent: dict[str, str]) -> dict[str, str]:
    return {word: reason for word, reason in absent.items() if word in side}


def _filler(spec: WeatSpec, checkpoint: Checkpoint) -> str:
    """Return the filler of the other slot: the mask or a neutral word.

    Raises InputError if model and spec do not fit.
    """
    if checkpoint.kind == Kind.STATIC:
        if spec.templates is not None:
            raise SpecError(f"{spec.model} holds word vectors, which know no context: take 'templates' out.")
        return ""
    if checkpoint.kind not in (Kind.MASKED, Kind.CAUSAL, Kind.ENCODER):
        raise ModelError(f"{spec.model} is of the kind {checkpoint.kind}; the probe weat takes {CARD_KINDS}.")
    if spec.templates is None:
        raise SpecError(f"{spec.model} embeds words in sentences: give 'templates' with {{target}} and {{attribute}}.")
    filler = spec.params.neutral or checkpoint.tokenizer.mask_token
    if not filler:
        raise SpecError(f"{spec.model} has no mask token: give params {{neutral: WORD}} for the other slot's place.")
    return str(filler)


def _absent(spec: WeatSpec, words: WordSets) -> dict[str, str]:
    """Return the words that the other vocabulary named by the spec lacks, with the reason."""
    if not spec.params.vocabulary:
        return {}
    tokenizer = locate(spec.params.vocabulary).tokenizer
    every = list(dict.fromkeys(word.text for word in (*words.targets, *words.attributes)))
    return {
        one.word: f"{one.word!r} is no token of {spec.params.vocabulary}"
        for one in spell(tokenizer, every)
        if len(one.pieces) != 1 or one.fault
    }


def _shard(words: WordSets, template: str, filler: str, absent: dict[str, str]) -> ShardPlan:
    inputs = {
        "template": template,
        "filler": filler,
        "targets": [word.text for word in words.targets],
        "attributes": [word.text for word in words.attributes],
        "sentences": [asdict(sentence(template, word, filler)) for word in words.targets if template]
        + [asdict(sentence(template, filler, word)) for word in words.attributes if template],
        "absent": absent,
    }
    rows = len(words.targets) * len(words.attributes)
    return ShardPlan({"template": template, "absent": absent}, {"association": rows}, inputs)
