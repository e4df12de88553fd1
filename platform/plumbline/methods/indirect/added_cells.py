"""Cells of words that people added to a finished run, which join the cells of its grid."""

import polars as pl

from plumbline.audits.models import AddedWord, Run
from plumbline.audits.states import RunState
from plumbline.methods.indirect.added_words import present_words
from plumbline.methods.indirect.variants import stored
from plumbline.results import grid


def with_added(run: Run, cells: pl.DataFrame, statistic: str, variant: str | None) -> pl.DataFrame:
    """Return the cells (results.grid.CELLS) of the run, followed by those of the words added to it.

    The q-values of an added word are corrected among its own cells. An added target has no cell with an added feature,
    since no run scored them together.
    """
    found = [_cells(word, statistic, variant) for word in done_of(run)]
    return pl.concat([cells, *found])


def done_of(run: Run) -> list[AddedWord]:
    """Return the added words that have their measures, in the order of addition."""
    return list(present_words(run).filter(small__state=RunState.DONE).select_related("small"))


def source_of(run: Run, slug: str, target: str, feature: str) -> tuple[Run, str] | None:
    """Return the small run of a cell and its name for the feature's list, or None for a cell of the run itself."""
    for word in done_of(run):
        if word.kind == "target" and word.word == target:
            return word.small, slug
        if word.kind == "feature" and (word.word, word.category) == (feature, slug):
            return word.small, ""
    return None


def _cells(word: AddedWord, statistic: str, variant: str | None) -> pl.DataFrame:
    found = grid.cells(word.small_id, statistic, stored(word.small, variant or ""))
    if word.kind == "feature":
        own = found.filter((pl.col("attribute") == word.word) & (pl.col("category") == ""))
        return own.with_columns(pl.lit(word.category).alias("category"))
    return found
