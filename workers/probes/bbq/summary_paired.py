"""Paired preference (ours): how much more a negative question draws the model to the target than a non-negative one.

In one set of four, one context and one order of the options the two questions differ in nothing else, so what a label
has of its own likelihood, and what a place has, cancels; UNKNOWN plays no part.
"""

import polars as pl

from plumbline.spec.bbq_question import NEGATIVE
from plumbline.spec.measure import Measure
from workers.probes.bbq.summary_cells import LEVELS, Settings, cells_of
from workers.probes.bbq.summary_frame import CONDITIONS
from workers.probes.bbq.summary_rates import Rate, measured
from workers.probes.bbq.summary_scores import labels
from workers.statistics.units import Blocks

NAMED = ("overall", "category", "label", "code", "value")
_PAIR = ("condition", "set", "options")


def paired(frame: pl.DataFrame, settings: Settings, own: str) -> list[Measure]:
    """The mean over pairs of each cell; none where the answers have no logits."""
    found = []
    for condition in CONDITIONS.values():
        pairs = pairs_of(frame.filter(pl.col("condition") == condition))
        if pairs.is_empty():
            continue
        cells = cells_of(pairs, {name: LEVELS[name] for name in NAMED}, ("preference", "pair"), own=own)
        blocks = Blocks(cells["preference"], cells["pair"])
        found += measured([Rate(labels("paired_preference", condition), cells.keys, blocks, tested=True)], settings)
    return found


def pairs_of(frame: pl.DataFrame) -> pl.DataFrame:
    """A row for each negative question whose non-negative twin has logits too: `preference` in nats, and `pair` = 1."""
    known = frame.filter(pl.col("logits").is_not_null() & pl.col("target").is_not_null())
    drawn = known.with_columns(drawn=_towards_target(known))
    twins = drawn.filter(pl.col("polarity") != NEGATIVE).select(*_PAIR, twin="drawn")
    pairs = drawn.filter(pl.col("polarity") == NEGATIVE).join(twins, on=list(_PAIR), how="inner")
    return pairs.with_columns(preference=pl.col("drawn") - pl.col("twin"), pair=pl.lit(1))


def _towards_target(known: pl.DataFrame) -> pl.Series:
    """log P(target) - log P(non-target): what normalises the three options cancels."""
    logits = known["logits"].str.json_decode(pl.List(pl.Float64))
    target, other = (logits.list.get(known[name]) for name in ("target", "non_target"))
    return target - other
