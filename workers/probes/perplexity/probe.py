"""Perplexity: every text is scored by the model; shards by the texts' names."""

from collections.abc import Mapping
from typing import Any, cast

import polars as pl

from plumbline.methods.perplexity.spec import HeldOutText, PerplexitySpec
from plumbline.spec.measure import Measure
from workers.engine.causal import CausalModel
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.masked import MaskedModel, mask_token_id
from workers.probes.digest_shards import by_digest
from workers.probes.model_kinds import require_kind
from workers.probes.perplexity.scoring import score_causal, score_masked
from workers.probes.perplexity.summary import summarise
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

SHARD = 64
"""Texts of a shard, or so."""


class PerplexityProbe:
    """The probe of one phase, with the table `text_likelihood`."""

    def check(self, spec: PerplexitySpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        """Raise InputError for a model of another kind, or no texts."""
        require_kind(spec, checkpoint)
        if checkpoint.kind == Kind.MASKED:
            mask_token_id(checkpoint)
        spec.check(snapshots)

    def plan(self, spec: PerplexitySpec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        """Lay the texts out in shards, by a digest of their names."""
        self.check(spec, snapshots, checkpoint)
        banks = spec.banks(snapshots)
        shards = [
            ShardPlan(
                {"shard": number},
                {"text_likelihood": len(items)},
                {"texts": [one.model_dump(mode="json") for one in items], "banks": [banks[one.id] for one in items]},
            )
            for number, items in _by_shard(spec, snapshots).items()
        ]
        return Planned(shards, {spec.probe, "", *banks, *banks.values()})

    def execute(
        self, spec: PerplexitySpec, snapshots: Snapshots, items: Any, model: AnyModel, memo: Memo, progress: Progress
    ) -> dict[str, Columns]:
        """Score the texts of a shard."""
        if "shards" not in memo:
            memo["shards"], memo["banks"] = _by_shard(spec, snapshots), spec.banks(snapshots)
        wanted = set(items.get("items", ()))
        own = [one for one in memo["shards"][items["shard"]] if not wanted or one.id in wanted]
        texts = [one.text for one in own]
        if isinstance(model, MaskedModel):
            found = score_masked(model, texts, progress)
        else:
            found = score_causal(cast("CausalModel", model), texts, progress)
        return {
            "text_likelihood": {
                "probe": [spec.probe] * len(own),
                "bank": [memo["banks"][one.id] for one in own],
                "item": [one.id for one in own],
                "log_likelihood": [one.log_likelihood for one in found],
                "n_tokens": [one.n_tokens for one in found],
                "n_top1": [one.n_top1 for one in found],
                "scorable": [not one.reason for one in found],
                "reason": [one.reason or None for one in found],
            }
        }

    def contents(
        self, spec: PerplexitySpec, snapshots: Snapshots, checkpoint: Checkpoint, items: Any
    ) -> Contents | None:
        """The texts, with the bank of each."""
        banks = spec.banks(snapshots)
        return Contents({"item": {one.id: (one.text, banks[one.id]) for one in spec.items(snapshots)}})

    def labels(self, spec: PerplexitySpec, snapshots: Snapshots, items: Any) -> pl.DataFrame:
        """One row per text."""
        return pl.DataFrame({"item": [one.id for one in _by_shard(spec, snapshots)[items["shard"]]]})

    def only(self, spec: PerplexitySpec, snapshots: Snapshots, items: Any, missing: pl.DataFrame) -> Any:
        """The shard with these texts alone."""
        return {**items, "items": missing["item"].to_list()}

    def summarise(self, spec: PerplexitySpec, snapshots: Snapshots, read: Read) -> list[Measure]:
        """The measures of a run."""
        return summarise(spec, read("text_likelihood"))


PROBES: dict[str, Probe[Any]] = {"perplexity": PerplexityProbe()}


def _by_shard(spec: PerplexitySpec, snapshots: Snapshots) -> Mapping[int, list[HeldOutText]]:
    return by_digest(spec.items(snapshots), SHARD)
