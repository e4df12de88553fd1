"""How the measures of a pack differ from those that its records give."""

from collections.abc import Iterator
from typing import Any

import polars as pl

TOLERANCE = 1e-9
"""The largest difference of two equal figures, absolute below 1 and relative above."""
LABELS = ("statistic", "variant", "prior", "group_a", "group_b", "category", "condition", "attribute", "template")
PERMUTED = ("p_value", "familywise_p_value", "q_value", "reachable_q")
"""Figures of tests that draw at random, which other versions of libraries may draw otherwise."""
_PLACE, _STORED, _FOUND = "place", "in_pack", "recomputed"


def differences(stored: pl.DataFrame, found: pl.DataFrame) -> Iterator[tuple[str, str]]:
    """Yield the column and a sentence for each figure that differs, for each measure too many, and each missing one.

    The column is empty for a whole measure.
    """
    pairs = _placed(stored, _STORED).join(
        _placed(found, _FOUND), on=[*LABELS, _PLACE], how="full", coalesce=True, suffix="_found", nulls_equal=True
    )
    kinds = {name: kind for name, kind in stored.schema.items() if name not in LABELS}
    wrong = {name: _differ(name, kind).alias(name) for name, kind in kinds.items()}
    both = pl.col(_STORED).is_not_null() & pl.col(_FOUND).is_not_null()
    marked = pairs.with_columns(wrong_=pl.struct(*wrong.values()))
    rows = marked.filter(~both | pl.any_horizontal(*wrong.values()))
    for row in rows.sort(*LABELS, _PLACE).iter_rows(named=True):
        yield from _sentences(row, list(kinds))


def _placed(measures: pl.DataFrame, side: str) -> pl.DataFrame:
    """Return the measures with their place among those of equal labels, and a mark of their side."""
    ordered = measures.sort(*LABELS, "reason", "n", nulls_last=True)
    return ordered.with_columns(pl.int_range(pl.len()).over(LABELS).alias(_PLACE), pl.lit(value=True).alias(side))


def _differ(name: str, kind: Any) -> pl.Expr:
    mine, other = pl.col(name), pl.col(f"{name}_found")
    if kind != pl.Float64:
        return mine.ne_missing(other)
    allowed = TOLERANCE * pl.max_horizontal(pl.lit(1.0), mine.abs(), other.abs())
    close = ((mine - other).abs() <= allowed) | (mine == other)
    return ~close.fill_null(value=False) & ~(mine.is_null() & other.is_null())


def _sentences(row: dict[str, Any], columns: list[str]) -> Iterator[tuple[str, str]]:
    name = f"{row['statistic']} [{', '.join(row[key] for key in LABELS[1:] if row[key]) or 'overall'}]"
    if row[_FOUND] is None:
        yield "", f"{name}: the pack has this measure, and its records do not give it"
    elif row[_STORED] is None:
        yield "", f"{name}: the records give this measure, and the pack does not have it"
    else:
        wrong = [column for column in columns if row["wrong_"][column]]
        yield from (
            (one, f"{name}: {one} is {row[one]!r} in the pack, {row[f'{one}_found']!r} recomputed") for one in wrong
        )
