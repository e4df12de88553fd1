"""Tallies as a table of names by words: the words that occur often enough, and their success rates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from plumbline.methods.sodapop.spec import SodapopParams
from plumbline.spec.content import Name
from plumbline.spec.measure import Measure, join_reasons
from workers.probes.sodapop.words import is_stop_word
from workers.statistics.rates.rate_comparisons import Successes
from workers.statistics.rates.success_rates import success_rates
from workers.statistics.units import Floats, Positions

MOST_NAMED = 5
COUNTED = ("shown", "chosen", "expected")


@dataclass(frozen=True, slots=True)
class Table:
    """The measured words in alphabetical order, and the names with an answer in the spec's order."""

    template: str
    """The context; empty for all contexts together."""
    names: tuple[Name, ...]
    words: tuple[str, ...]
    shown: Floats  # [names, words]
    chosen: Floats
    expected: Floats
    vocabulary: Measure
    """The number of words, and what was left out."""

    @property
    def groups(self) -> list[str]:
        return list(dict.fromkeys(name.group for name in self.names))

    def rates(self, *, expected: bool = False) -> Floats:
        """Return SR(w, n), [names, words]; NaN if a word was not shown with a name."""
        return success_rates(self.expected if expected else self.chosen, self.shown)

    def successes(self, group: str, *, expected: bool = False) -> Successes:
        rows = self.rows_of(group)
        return Successes((self.expected if expected else self.chosen)[rows], self.shown[rows])

    def rows_of(self, group: str) -> Positions:
        return np.array([row for row, name in enumerate(self.names) if name.group == group], dtype=np.intp)


def table_of(tallies: pl.DataFrame, names: Sequence[Name], params: SodapopParams, template: str = "") -> Table:
    """Return a table from rows of name, word, shown, chosen, expected, at most one per name and word."""
    answered = set(tallies["name"].unique())
    own = tuple(name for name in names if name.name in answered)
    counted = tallies.group_by("word").agg(pl.col("shown").sum().alias("total"), pl.col("shown").min(), pl.len())
    often = _often(counted, params, len(own))
    stopped = [word for word in counted["word"].to_list() if params.stop_words and is_stop_word(word)]
    words = tuple(sorted(set(counted.filter(often)["word"].to_list()) - set(stopped)))
    shown, chosen, expected = _cells(tallies, own, words)
    silent = [name.name for name in names if name.name not in answered]
    told = _told(len(counted) - len(words) - len(stopped), len(stopped), silent)
    reason = told if words else join_reasons(_none_often(params), told)
    vocabulary = Measure(
        statistic="distractor_words",
        template=template,
        value=float(len(words)),
        n=len(counted),
        n_units=len(own),
        unit="name",
        reason=reason,
    )
    return Table(template, own, words, shown, chosen, expected, vocabulary)


def _often(counted: pl.DataFrame, params: SodapopParams, names: int) -> pl.Series:
    # The paper removes words with "less than 50 occurrences", the authors' code those with 50 and fewer.
    least = params.min_occurrences + (params.variant == "released_code")
    if params.per == "total":
        return counted["total"] >= least
    return (counted["len"] == names) & (counted["shown"] >= least)


def _cells(tallies: pl.DataFrame, names: Sequence[Name], words: Sequence[str]) -> tuple[Floats, ...]:
    tables = np.zeros((len(COUNTED), len(names), len(words)))
    if words:
        known = tallies.filter(pl.col("word").is_in(list(words)) & pl.col("name").is_in([one.name for one in names]))
        row, column = (
            known[key].replace_strict(labels, list(range(len(labels))), return_dtype=pl.Int64).to_numpy()
            for key, labels in (("name", [one.name for one in names]), ("word", list(words)))
        )
        for table, key in zip(tables, COUNTED, strict=True):
            table[row, column] = known[key].cast(pl.Float64).to_numpy()
    return tuple(tables)


def _told(rare: int, stopped: int, silent: Sequence[str]) -> str:
    named = ", ".join(silent[:MOST_NAMED]) + (" and more" if len(silent) > MOST_NAMED else "")
    return join_reasons(
        f"too rare, left out: {rare}" * bool(rare),
        f"stop words, left out: {stopped}" * bool(stopped),
        f"names without an answer, left out: {named}" * bool(silent),
    )


def _none_often(params: SodapopParams) -> str:
    of = "with each name" if params.per == "name" else "in total"
    return f"no word occurs {params.min_occurrences} times {of}: lower min_occurrences, or take per: total"
