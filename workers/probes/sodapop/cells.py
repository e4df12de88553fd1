"""A cell, a name in a context, as the records of both phases name it, and what decides them."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from plumbline.spec.content import Name
from plumbline.spec.contexts import Context


def cell_axes(contexts: Sequence[Context], names: Sequence[Name]) -> dict[str, dict[str, Any]]:
    """What the labels of contexts and names stand for."""
    return {"context": {one.id: one for one in contexts}, "name": {one.name: one.group for one in names}}


def cell_labels(contexts: Sequence[Context], names: Sequence[Name], cells: Sequence[tuple[int, int]]) -> pl.DataFrame:
    """The labels of cells that are given by the places of context and name."""
    texts = [(contexts[context].id, names[name].name) for context, name in cells]
    return pl.DataFrame(texts, schema=["context", "name"], orient="row")


def cells_named(contexts: Sequence[Context], names: Sequence[Name], labels: pl.DataFrame) -> list[tuple[int, int]]:
    """The places of context and name of the cells with these labels, in order."""
    context = {one.id: place for place, one in enumerate(contexts)}
    name = {one.name: place for place, one in enumerate(names)}
    return [(context[one], name[other]) for one, other in labels.select("context", "name").iter_rows()]
