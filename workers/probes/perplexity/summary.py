"""The measures of a run of perplexity: over all tokens of all texts, with intervals over texts."""

import numpy as np
import polars as pl

from plumbline.methods.perplexity.card import PERPLEXITY, PSEUDO, TOP1
from plumbline.methods.perplexity.spec import PerplexitySpec
from plumbline.spec.measure import Measure
from plumbline.spec.shared_statistics import NOT_SCORABLE, SCORABLE_SHARE
from workers.measures.estimated import defined
from workers.statistics.rates.clustered_shares import share_estimate
from workers.statistics.ratio_of_sums import ratio_of_sums

ALL = "all texts"
NO_TEXT = "no scorable text"


def summarise(spec: PerplexitySpec, records: pl.DataFrame) -> list[Measure]:
    """Return the perplexity, of masked models also the top-1 accuracy, and how many texts could be scored."""
    scored = records.filter("scorable")
    has_top1 = not scored["n_top1"].has_nulls()
    variant = "" if spec.dtype == "float32" else spec.dtype
    found = [_perplexity(spec, scored, (PSEUDO if has_top1 else PERPLEXITY).name, variant)]
    if has_top1:
        found.append(_top1(spec, scored, variant))
    return [*found, *_coverage(records)]


def _perplexity(spec: PerplexitySpec, scored: pl.DataFrame, statistic: str, variant: str) -> Measure:
    sizes = scored["n_tokens"].cast(pl.Float64).to_numpy()
    found = ratio_of_sums(-scored["log_likelihood"].to_numpy(), sizes, level=spec.params.level)
    value, low, high = (defined(float(np.exp(one))) for one in (found.value, found.low, found.high))
    reason = "" if scored.height else NO_TEXT
    return Measure(statistic, "text", int(sizes.sum()), found.n_units, value, low, high, variant=variant, reason=reason)


def _top1(spec: PerplexitySpec, scored: pl.DataFrame, variant: str) -> Measure:
    """The share over tokens; those of one text are no independent observations."""
    hits, sizes = scored["n_top1"].to_numpy(), scored["n_tokens"].to_numpy()
    right = np.concatenate([[1.0] * hit + [0.0] * (size - hit) for hit, size in zip(hits, sizes, strict=True)] or [[]])
    found = share_estimate(right, np.repeat(np.arange(len(sizes)), sizes), level=spec.params.level)
    value, low, high = (defined(one) for one in (found.value, found.low, found.high))
    reason = "" if scored.height else NO_TEXT
    return Measure(TOP1.name, "text", found.n, found.n_families, value, low, high, variant=variant, reason=reason)


def _coverage(records: pl.DataFrame) -> list[Measure]:
    """How many texts were scored, and why others were not."""
    n, there = records.height, int(records["scorable"].sum())
    missing = records.filter(~pl.col("scorable")).group_by("reason").len().sort("len", "reason", descending=True)
    return [
        Measure(SCORABLE_SHARE.name, "item", n=n, n_units=n, value=there / n, group_a=ALL),
        *(Measure(NOT_SCORABLE.name, "item", one, one, one, reason=why) for why, one in missing.rows()),
    ]
