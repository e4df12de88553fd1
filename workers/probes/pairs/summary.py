"""The measures of a run of pairs: shares by type, or GEST's ratios, each with and without flagged items."""

from collections.abc import Sequence
from functools import partial
from typing import cast

import polars as pl

from plumbline.methods.pairs.content import GestSentence, Item, SentencePair
from plumbline.methods.pairs.spec import PairsSpec
from plumbline.spec.measure import WITHOUT_FLAGGED, Measure, join_variants
from plumbline.spec.shared_statistics import NOT_SCORABLE, SCORABLE_SHARE
from workers.measures.families import FamilyBy, family_by
from workers.measures.judging import judged
from workers.probes.pairs.summary_gest import gest_measures
from workers.probes.pairs.summary_shares import share_measures

ALL = "all scores"
"""The noun for what coverage counts."""


def summarise(spec: PairsSpec, items: Sequence[Item], records: pl.DataFrame) -> list[Measure]:
    """Return the measures of these items from the records of the table `pair`."""
    found = _measures(spec, items, records, spec.variant)
    if any(item.flags for item in items):
        kept = [item for item in items if not item.flags]
        rows = records.filter(pl.col("item").is_in([item.id for item in kept]))
        found += _measures(spec, kept, rows, join_variants(spec.variant, WITHOUT_FLAGGED)) if kept else []
    family = partial(_family, known=family_by(spec.families, spec.variant))
    return [*judged(spec, found, family), *_coverage(records)]


def _family(one: Measure, known: FamilyBy) -> str | None:
    """Return the family of a test: overall rows apart from types and templates. None for pairs of one direction.

    Pairs of one direction are a part of a test and have no test of their own.
    """
    label = None if one.condition else known(one)
    return label if label is None or one.category or one.template else f"{label} whole"


def _measures(spec: PairsSpec, items: Sequence[Item], records: pl.DataFrame, variant: str) -> list[Measure]:
    if isinstance(items[0], GestSentence):
        return gest_measures(spec, records, variant)
    return share_measures(spec, cast("Sequence[SentencePair]", items), records, variant)


def _coverage(records: pl.DataFrame) -> list[Measure]:
    """Return the counts of scored items and of the reasons for missing scores."""
    n, there = records.height, int(records["scorable"].sum())
    share = Measure(SCORABLE_SHARE.name, "item", n=n, n_units=n, value=there / n if n else None, group_a=ALL)
    missing = records.filter(~pl.col("scorable"))
    label = pl.when(pl.col("template") == "").then(pl.col("scoring")).otherwise(pl.col("template")).alias("label")
    whole = missing.group_by("reason").len().sort("len", descending=True).rows()
    parts = missing.group_by("reason", label).len().sort("len", "label", descending=True).rows()
    counted = [*((reason, "", n) for reason, n in whole), *parts]
    return [
        *([share] if n else []),
        *(
            Measure(NOT_SCORABLE.name, "item", n=count, n_units=count, value=count, group_a=group, reason=reason)
            for reason, group, count in counted
        ),
    ]
