"""The indirect probe: both sides in shards of given words; the summary correlates scores over names."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import polars as pl

from plumbline.methods.indirect.materials import TARGET_FEATURE, kind_of
from plumbline.methods.indirect.spec import IndirectMaterials, IndirectSpec
from plumbline.spec.errors import InputError, ModelError
from plumbline.spec.measure import Measure
from workers.engine.causal import CausalModel
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.masked import MaskedModel
from workers.engine.sentences import UNKNOWN, encode, length_fault
from workers.engine.spelling import spell
from workers.probes.indirect.causal_scoring import continuations
from workers.probes.indirect.items import contents_of, item_labels, of_part, parts, together
from workers.probes.indirect.records import ZERO, bridge_columns, direct_columns
from workers.probes.indirect.scoring import Floats, log_probabilities
from workers.probes.indirect.sentences import Speller
from workers.probes.indirect.shards import part_of, shards
from workers.probes.indirect.spelling import Spelling
from workers.probes.indirect.summary import summarise
from workers.probes.indirect.template_side import Side
from workers.probes.model_kinds import require_kind
from workers.probes.protocol import AnyModel, Columns, Contents, Memo, Planned, Probe, Progress, Read, Snapshots

Kept = TypeVar("Kept")
WORDS_WHILE_ONE_WAITS = 128
"""Words per shard for a word that was added to a run. Nothing else reuses its few sentences, so shards are larger."""


class IndirectProbe:
    def check(self, spec: IndirectSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        """Check that the tokenizer can spell every word; a word that splits is scored only if it is given."""
        _check_kind(spec, checkpoint)
        sides = _sides(spec, spec.materials(snapshots))
        words = dict.fromkeys(word.label for side in sides for word in (*side.given, *side.predicted))
        for one in spell(checkpoint.tokenizer, list(words)):
            if UNKNOWN in one.fault:
                raise InputError(f"{one.fault} of {checkpoint.reference}: take it out, or choose another model.")
        _check_padding(spec, sides, checkpoint)

    def plan(self, spec: IndirectSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        self.check(spec, snapshots, checkpoint)
        every = _sides(spec, spec.materials(snapshots))
        sides = [side for side in every if spec.adds_to is None or spec.adds_to.asks(side.name)]
        planned = [
            shard for side in sides for shard in shards(side, None if spec.adds_to is None else WORDS_WHILE_ONE_WAITS)
        ]
        spelled = [_spelling(spec, side, checkpoint) for side in sides]
        if spec.adds_to is not None and spec.adds_to.kind == "feature":
            _can_be_told(spelled[0])
        reasons = {fault for one in spelled for faults in one.faults for fault in faults}
        words = {word.label for side in sides for word in (*side.given, *side.predicted)}
        texts = {text for side in sides for text in side.templates}
        names = {side.name for side in sides}
        return Planned(planned, {spec.probe, ZERO, *names, *texts, *words, *filter(None, reasons)})

    def execute(
        self, spec: IndirectSpec, snapshots: Snapshots, items: Any, model: AnyModel, memo: Memo, progress: Progress
    ) -> dict[str, Columns]:
        materials = _kept(memo, "materials", lambda: spec.materials(snapshots))
        whole = _kept(memo, items["side"], lambda: Side.of(items["side"], materials, spec.params.padding))
        if "parts" not in items:
            return _records(spec, materials, *part_of(whole, items), model, memo, progress)
        found = [_records(spec, materials, *of_part(whole, one), model, memo, progress) for one in items["parts"]]
        return {table: together([one[table] for one in found]) for table in found[0]}

    def contents(self, spec: IndirectSpec, snapshots: Snapshots, checkpoint: Checkpoint, items: Any) -> Contents:
        return contents_of(_sides(spec, spec.materials(snapshots)))

    def labels(self, spec: IndirectSpec, snapshots: Snapshots, items: Any) -> pl.DataFrame:
        return item_labels(*part_of(Side.of(items["side"], spec.materials(snapshots)), items))

    def only(self, spec: IndirectSpec, snapshots: Snapshots, items: Any, missing: pl.DataFrame) -> Any:
        return {"side": items["side"], "parts": parts(Side.of(items["side"], spec.materials(snapshots)), missing)}

    def summarise(self, spec: IndirectSpec, snapshots: Snapshots, read: Read) -> list[Measure]:
        return summarise(spec, spec.materials(snapshots), read)


PROBES: dict[str, Probe[Any]] = {"indirect": IndirectProbe()}


def _records(
    spec: IndirectSpec,
    materials: IndirectMaterials,
    side: Side,
    given: list[int],
    model: AnyModel,
    memo: Memo,
    progress: Progress,
) -> dict[str, Columns]:
    spelling = _spelled(spec, side, model.checkpoint, memo)
    found = _ask(model, spelling, given, progress)
    reasons = spelling.reasons(given)
    if kind_of(side.name) == TARGET_FEATURE:
        return {"association": direct_columns(spec.probe, side, given, found, reasons)}
    tokens = _kept(memo, "tokens", lambda: _name_tokens(materials, model.checkpoint))
    return {"bridge": bridge_columns(spec.probe, side, given, found, reasons, tokens)}


def _check_kind(spec: IndirectSpec, checkpoint: Checkpoint) -> None:
    """Check the model's kind. The two kinds need different queries, and their scores must not be mixed."""
    require_kind(spec, checkpoint)
    if checkpoint.kind == Kind.CAUSAL and not spec.causal:
        raise ModelError(
            f"{spec.model} is a causal model, which predicts from the text before a word alone: set params"
            " {variant: causal}, an estimator of its own whose scores are not those of masked models."
        )
    if checkpoint.kind == Kind.MASKED and spec.causal:
        raise ModelError(f"params.variant causal is defined for causal models only, and {spec.model} is masked.")


def _check_padding(spec: IndirectSpec, sides: Sequence[Side], checkpoint: Checkpoint) -> None:
    first = [side.sentence(text, side.given[0], side.predicted[0]) for side in sides for text in side.templates]
    for one in encode(checkpoint.tokenizer, first if spec.params.padding else []):
        if fault := length_fault(checkpoint.tokenizer, list(one.ids)):
            raise InputError(f"params.padding: with it, sentences are {fault}: shorten it.")


def _can_be_told(spelled: Spelling) -> None:
    """Raise InputError, before any query, if no sentence can predict the one word that somebody waits for."""
    faults = [faults[0] for faults in spelled.faults]
    if all(faults):
        raise InputError(f"{spelled.side.predicted[0].label!r} cannot be scored as a feature: {faults[0]}.")


def _sides(spec: IndirectSpec, materials: IndirectMaterials) -> list[Side]:
    return [Side.of(name, materials, spec.params.padding) for name in materials.sides]


def _spelling(spec: IndirectSpec, side: Side, checkpoint: Checkpoint) -> Spelling:
    if side.causal:
        return Spelling(side, checkpoint, chain=True)
    return Speller(side, checkpoint, spec.params.prior_masks, spec.params.split)


def _spelled(spec: IndirectSpec, side: Side, checkpoint: Checkpoint, memo: Memo) -> Spelling:
    """Return the side's spelling. It is shared by all shards on a masked model.

    On a causal one, shards differ in words.
    """
    if side.causal:
        return _spelling(spec, side, checkpoint)
    return _kept(memo, side, lambda: _spelling(spec, side, checkpoint))


def _kept(memo: Memo, key: Any, make: Callable[[], Kept]) -> Kept:
    """Return a value of the run that is computed once per worker."""
    if key not in memo:
        memo[key] = make()
    found: Kept = memo[key]
    return found


def _name_tokens(materials: IndirectMaterials, checkpoint: Checkpoint) -> dict[str, int]:
    """Return the number of tokens of each name."""
    names = [one.name for one in materials.names]
    return {one.word: len(one.pieces) for one in spell(checkpoint.tokenizer, names)}


def _ask(model: AnyModel, spelling: Spelling, given: Sequence[int], progress: Progress) -> tuple[Floats, Floats]:
    rows = spelling.side.rows
    if isinstance(spelling, Speller):
        return log_probabilities(cast("MaskedModel", model), spelling, given, lambda words: progress(words * rows))
    return continuations(cast("CausalModel", model), spelling, progress)
