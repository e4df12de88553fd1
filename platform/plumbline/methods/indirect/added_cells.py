"""Words added to a finished run by hand: their cells join those of the run's grid."""

import polars as pl

from plumbline.audits.models import AddedWord, Run
from plumbline.audits.states import RunState
from plumbline.methods.indirect.added_words import words_of
from plumbline.methods.indirect.variants import stored
from plumbline.results import grid


def with_added(run: Run, cells: pl.DataFrame, statistic: str, variant: str | None) -> pl.DataFrame:
    """The cells (results.grid.CELLS) of the run, followed by those of the words that were added to it.

    Their q-values are corrected among the cells of the word itself. A target and a feature that were both added have
    no cell: nobody asked about them together.
    """
    found = [_cells(word, statistic, variant) for word in done_of(run)]
    return pl.concat([cells, *found])


def done_of(run: Run) -> list[AddedWord]:
    """The words that have their measures, in the order in which they were added."""
    return list(words_of(run).filter(small__state=RunState.DONE).select_related("small"))


def source_of(run: Run, slug: str, target: str, feature: str) -> tuple[Run, str] | None:
    """The small run that holds a cell, and what it calls the feature's list; None for a cell of the run itself."""
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
