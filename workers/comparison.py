"""Two runs compared: paired item by item, so that what they have in common cancels."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from plumbline.spec.grammar import frame
from plumbline.spec.measure import Measure
from workers.probes.estimated import numbers_of
from workers.statistics import estimate_cells


@dataclass(frozen=True, slots=True)
class Comparison:
    """`changes`: for each group and attribute the mean paired difference, second run minus first, largest first."""

    changes: list[Measure]
    paired: int
    only_first: int
    only_second: int
    not_scorable: int


def compare(items: pl.DataFrame, *, seed: int = 0) -> Comparison:
    """Compare from the outer join of two runs' items.

    `items` has template, group, attribute (text), score_a, score_b (float64, null if not scorable), in_a, in_b (bool).
    The unit is the template frame; q over all cells that can be tested.
    """
    both = items.filter(pl.col("in_a") & pl.col("in_b"))
    scored = both.filter(pl.col("score_a").is_not_null() & pl.col("score_b").is_not_null())
    return Comparison(
        changes=_changes(scored, seed),
        paired=len(scored),
        only_first=items.filter(~pl.col("in_b")).height,
        only_second=items.filter(~pl.col("in_a")).height,
        not_scorable=len(both) - len(scored),
    )


def _changes(scored: pl.DataFrame, seed: int) -> list[Measure]:
    if scored.is_empty():
        return []
    templates = scored["template"].unique().sort().to_list()
    cells = scored.select("group", "attribute").unique().sort("group", "attribute").rows()
    values = np.full((len(cells), len(templates)), np.nan)
    column = {template: index for index, template in enumerate(templates)}
    row = {cell: index for index, cell in enumerate(cells)}
    for template, group, attribute, score_a, score_b in scored.select(
        "template", "group", "attribute", "score_a", "score_b"
    ).iter_rows():
        values[row[group, attribute], column[template]] = score_b - score_a
    _, units = np.unique([frame(template) for template in templates], return_inverse=True)
    estimates = estimate_cells(values, units, seed=seed)
    changes = [
        Measure(
            statistic="paired_difference",
            unit="template",
            group_a=group,
            attribute=attribute,
            **numbers_of(estimates, index),
        )
        for index, (group, attribute) in enumerate(cells)
    ]
    return sorted(changes, key=lambda change: -abs(change.value or 0.0))
