"""Cells (a name in a context) in the records of both phases, and their contents."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from plumbline.spec.banks.contexts import Context
from plumbline.spec.content import Name


def cell_axes(contexts: Sequence[Context], names: Sequence[Name]) -> dict[str, dict[str, Any]]:
    """Return the contents of the labels of contexts and names."""
    return {"context": {one.id: one for one in contexts}, "name": {one.name: one.group for one in names}}


def cell_labels(contexts: Sequence[Context], names: Sequence[Name], cells: Sequence[tuple[int, int]]) -> pl.DataFrame:
    """Return the labels of cells that are given by the positions of context and name."""
    texts = [(contexts[context].id, names[name].name) for context, name in cells]
    return pl.DataFrame(texts, schema=["context", "name"], orient="row")


def cells_named(contexts: Sequence[Context], names: Sequence[Name], labels: pl.DataFrame) -> list[tuple[int, int]]:
    """Return the positions of context and name of the cells with these labels, in order."""
    context = {one.id: place for place, one in enumerate(contexts)}
    name = {one.name: place for place, one in enumerate(names)}
    return [(context[one], name[other]) for one, other in labels.select("context", "name").iter_rows()]
