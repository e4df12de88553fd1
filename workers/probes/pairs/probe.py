"""The probe of pairs of sentences: a model scores every item, or its imported score is read."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import polars as pl

from plumbline.methods.pairs.content import GestSentence, Item, SentencePair
from plumbline.methods.pairs.spec import PairsSpec
from plumbline.spec.measure import Measure
from workers.engine.causal import CausalModel
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.masked import MaskedModel, mask_token_id
from workers.probes.digest_shards import by_digest
from workers.probes.model_kinds import require_kind
from workers.probes.pairs import causal, masked
from workers.probes.pairs.asks import Ask, Scored, asks_of, columns
from workers.probes.pairs.summary import summarise
from workers.probes.protocol import (
    AnyModel,
    Columns,
    Contents,
    Memo,
    Model,
    Planned,
    Probe,
    Progress,
    Read,
    ShardPlan,
    Snapshots,
)
from workers.probes.self_debias import as_asked, longest_description, with_descriptions

SHARD = 256
"""About how many items a shard has: enough to fill batches, and few enough to show progress."""


class PairsProbe:
    """The probe of one phase, which needs only the table `pair`."""

    def check(self, spec: PairsSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        """Raise InputError for a model of another kind, or params that it does not have."""
        longest_description(spec, snapshots, checkpoint)
        require_kind(spec, checkpoint)
        if checkpoint.kind == Kind.MASKED:
            mask_token_id(checkpoint)
        asks_of(spec, spec.items(snapshots), checkpoint)

    def plan(self, spec: PairsSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        """Divide the items into shards, by a digest of their names."""
        self.check(spec, snapshots, checkpoint)
        asks = asks_of(spec, spec.items(snapshots), checkpoint)
        banks, stored = spec.banks(snapshots), spec.stored(snapshots)
        shards = []
        for number, items in _by_shard(spec, snapshots).items():
            own = [_asked(item) for item in items]
            scores = [stored[item.id] for item in items] if stored else []
            inputs = {"items": own, "banks": [banks.get(item.id, "") for item in items], "scores": scores}
            asked = {**inputs, "asks": [[ask.scoring, ask.template] for ask in asks]}
            shard = ShardPlan({"shard": number}, {"pair": len(items) * len(asks)}, asked)
            shards.append(with_descriptions(shard, spec.self_debiasing(snapshots)))
        labels = {spec.probe, "", *banks.values(), *(label for ask in asks for label in (ask.scoring, ask.template))}
        labels |= {label for item in spec.items(snapshots) for label in (item.id, item.category)}
        return Planned(shards, labels)

    def execute(
        self, spec: PairsSpec, snapshots: Snapshots, items: Any, model: AnyModel, memo: Memo, progress: Progress
    ) -> dict[str, Columns]:
        """Score the items of a shard. Imported scores need no model."""
        if "shards" not in memo:
            memo["shards"], memo["banks"] = _by_shard(spec, snapshots), spec.banks(snapshots)
            memo["stored"] = spec.stored(snapshots)
        wanted = set(items.get("items", ()))
        own = [one for one in memo["shards"][items["shard"]] if not wanted or one.id in wanted]
        asks = asks_of(spec, own, model.checkpoint)
        asked = as_asked(cast("Model", model), spec, snapshots)
        found = _scored(own, asks, asked, memo["stored"], progress)
        return {"pair": columns(spec.probe, memo["banks"], own, asks, found)}

    def contents(self, spec: PairsSpec, snapshots: Snapshots, checkpoint: Checkpoint, items: Any) -> Contents | None:
        """Return the sentences, with the bank and the imported score of each. Flags and families change no record."""
        banks, stored = spec.banks(snapshots), spec.stored(snapshots)
        items = spec.items(snapshots)
        content = {one.id: (_asked(one), banks.get(one.id), stored.get(one.id)) for one in items}
        return Contents({"item": content}, rest=spec.self_debiasing(snapshots))

    def labels(self, spec: PairsSpec, snapshots: Snapshots, items: Any) -> pl.DataFrame:
        """Return one row for each item."""
        return pl.DataFrame({"item": [one.id for one in _by_shard(spec, snapshots)[items["shard"]]]})

    def only(self, spec: PairsSpec, snapshots: Snapshots, items: Any, missing: pl.DataFrame) -> Any:
        """Return the shard with only these items."""
        return {**items, "items": missing["item"].to_list()}

    def summarise(self, spec: PairsSpec, snapshots: Snapshots, read: Read) -> list[Measure]:
        """Return the measures of a run."""
        return summarise(spec, spec.items(snapshots), read("pair"))


PROBES: dict[str, Probe[Any]] = {"pairs": PairsProbe()}


def _asked(item: Item) -> dict[str, Any]:
    """The fields that decide the records of an item. Only the summary reads the other fields."""
    return item.model_dump(mode="json", exclude={"flags", "family", "direction"})


def _by_shard(spec: PairsSpec, snapshots: Snapshots) -> Mapping[int, list[Item]]:
    """Return the items by shard. A run over imported scores has only items with a score."""
    stored, items = spec.stored(snapshots), spec.items(snapshots)
    return by_digest([item for item in items if not stored or item.id in stored], SHARD)


def _scored(
    items: Sequence[Item], asks: Sequence[Ask], model: AnyModel, stored: Mapping[str, float], progress: Progress
) -> list[Scored]:
    if stored:
        progress(len(items) * len(asks))
        return [Scored(difference=stored[item.id]) for item in items for _ in asks]
    if isinstance(model, MaskedModel):
        return _masked(model, items, asks, progress)
    return _causal(cast("CausalModel", model), items, asks, progress)


def _masked(model: MaskedModel, items: Sequence[Item], asks: Sequence[Ask], progress: Progress) -> list[Scored]:
    if isinstance(items[0], GestSentence):
        return masked.score_gest(model, cast("Sequence[GestSentence]", items), asks, progress)
    return masked.score_pairs(model, cast("Sequence[SentencePair]", items), asks, progress)


def _causal(model: CausalModel, items: Sequence[Item], asks: Sequence[Ask], progress: Progress) -> list[Scored]:
    if isinstance(items[0], GestSentence):
        return causal.score_gest(model, cast("Sequence[GestSentence]", items), asks, progress)
    return causal.score_pairs(model, cast("Sequence[SentencePair]", items), asks, progress)
