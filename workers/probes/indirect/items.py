"""What decides each record of an indirect run, so that those that an earlier run holds are found in it."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import polars as pl

from plumbline.methods.indirect.materials import TARGET_FEATURE, kind_of
from workers.probes.indirect.records import labels_of
from workers.probes.indirect.template_side import GIVEN, Side
from workers.probes.protocol import Columns, Contents

Part = tuple[list[str], list[str], list[str]]
"""Templates, given words and predicted words, by their labels: all combinations of them."""


def contents_of(sides: Sequence[Side]) -> Contents:
    """The words in all their forms. On a causal model a prior is the mean over the given words: templates hold them."""
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
    """The columns of the records that name the given and the predicted word."""
    if kind_of(side.name) == TARGET_FEATURE:
        return "group", "attribute"
    return ("name", "word") if side.slots[GIVEN] == "name" else ("word", "name")


def item_labels(side: Side, given: Sequence[int]) -> pl.DataFrame:
    """The items of a shard in the order of its records."""
    own = pl.DataFrame(labels_of(side, given))
    names = dict(zip(("given", "predicted"), columns_of(side), strict=True))
    if kind_of(side.name) == TARGET_FEATURE:
        return own.rename(names)
    return own.select(pl.lit(side.name).alias("side"), pl.all()).rename(names)


def parts(side: Side, missing: pl.DataFrame) -> list[Part]:
    """The missing items as few products of templates, given and predicted words; of a mean all given words in one."""
    given, predicted = columns_of(side)
    if side.causal:
        whole = missing.with_columns(pl.lit(side.given[0].label).alias(given))
        missing = whole.unique(["template", predicted], maintain_order=True)
    of_pairs = missing.group_by("template", given, maintain_order=True).agg(predicted)
    of_given = of_pairs.group_by(given, predicted, maintain_order=True).agg("template")
    products = of_given.group_by("template", predicted, maintain_order=True).agg(given)
    return products.select("template", given, predicted).rows()


def of_part(side: Side, part: Part) -> tuple[Side, list[int]]:
    """What is asked of a side, and the places of the given words. On a causal model all of them make the mean."""
    templates, given, predicted = part
    places = [place for place, word in enumerate(side.given) if side.causal or word.label in given]
    return side.part(templates, predicted), places


def together(columns: Sequence[Columns]) -> Columns:
    """The records of several parts, one after the other."""
    return {name: [value for one in columns for value in one[name]] for name in columns[0]}
