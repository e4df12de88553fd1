"""The content of each record of an indirect run, by which records of earlier runs are found."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import polars as pl

from plumbline.methods.indirect.materials import TARGET_FEATURE, kind_of
from workers.probes.indirect.records import labels_of
from workers.probes.indirect.template_side import GIVEN, Side
from workers.probes.protocol import Columns, Contents

Part = tuple[list[str], list[str], list[str]]
"""The labels of templates, given words and predicted words, of which all combinations are meant."""


def contents_of(sides: Sequence[Side]) -> Contents:
    """Return the words in all their forms.

    On a causal model, also each template's given words, whose mean is the prior.
    """
    axes: dict[str, dict[str, Any]] = defaultdict(dict)
    for side in sides:
        axes["side"][side.name] = side.slots
        for template in side.templates:
            axes["template"].setdefault(template, {})[side.name] = side.given if side.causal else ()
        for column, words in zip(columns_of(side), (side.given, side.predicted), strict=True):
            for word in words:
                axes[column].setdefault(word.label, set()).add(word)
    return Contents(axes, rest=[(side.padding, side.causal) for side in sides[:1]])


def columns_of(side: Side) -> tuple[str, str]:
    """Return the columns of the records for the given and the predicted word."""
    if kind_of(side.name) == TARGET_FEATURE:
        return "group", "attribute"
    return ("name", "word") if side.slots[GIVEN] == "name" else ("word", "name")


def item_labels(side: Side, given: Sequence[int]) -> pl.DataFrame:
    """Return the items of a shard in the order of its records."""
    own = pl.DataFrame(labels_of(side, given))
    names = dict(zip(("given", "predicted"), columns_of(side), strict=True))
    if kind_of(side.name) == TARGET_FEATURE:
        return own.rename(names)
    return own.select(pl.lit(side.name).alias("side"), pl.all()).rename(names)


def parts(side: Side, missing: pl.DataFrame) -> list[Part]:
    """Return the missing items as few products of templates, given and predicted words.

    For a mean prior, each product has all given words.
    """
    given, predicted = columns_of(side)
    if side.causal:
        whole = missing.with_columns(pl.lit(side.given[0].label).alias(given))
        missing = whole.unique(["template", predicted], maintain_order=True)
    of_pairs = missing.group_by("template", given, maintain_order=True).agg(predicted)
    of_given = of_pairs.group_by(given, predicted, maintain_order=True).agg("template")
    products = of_given.group_by("template", predicted, maintain_order=True).agg(given)
    return products.select("template", given, predicted).rows()


def of_part(side: Side, part: Part) -> tuple[Side, list[int]]:
    """Return a part of a side, and the places of its given words; on a causal model all of them, for the mean."""
    templates, given, predicted = part
    places = [place for place, word in enumerate(side.given) if side.causal or word.label in given]
    return side.part(templates, predicted), places


def together(columns: Sequence[Columns]) -> Columns:
    """Return the records of several parts, one after the other."""
    return {name: [value for one in columns for value in one[name]] for name in columns[0]}
