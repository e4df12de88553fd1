"""Before and after a mitigation: clusters (Tables 2 and 9), top words (Tables 6 and 10-20), maps (Figures 5, 8-13)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from plumbline.audits.models import Run
from plumbline.methods.sodapop import success_rates
from plumbline.methods.sodapop.card import CARD, FEW
from plumbline.methods.sodapop.findings import CLUSTERS, DIFFERENCE
from plumbline.methods.sodapop.success_rates import Chosen, Clusters
from plumbline.pages.before_after import BeforeAfterSection
from plumbline.pages.charts.name_map import MAP, clouds
from plumbline.results import before_after
from plumbline.results.summary import measures, of_run
from plumbline.spec.card import DIFFERENCE_IN_DIFFERENCES, Statistic
from plumbline.spec.measure import Measure

CARDS: dict[str, Statistic] = {one.name: one for one in CARD.statistics}
WORDS = (5, 15)
"""How many words of a side are shown, as in Table 6 and in Tables 10 to 20."""
Pair = tuple[str, str]
Change = dict[str, Any]
"""A row of v_before_after."""


@dataclass(frozen=True, slots=True)
class ClusterCell:
    """The accuracy of a pair's clusters in one run with what chance gives, and its change since the run before."""

    clusters: Clusters
    change: Change | None = None

    @property
    def by_chance(self) -> Measure | None:
        return self.clusters.others.get("chance, 95th percentile")


@dataclass(frozen=True, slots=True)
class WordCell:
    """A word's relative difference in one run, its rank among the words of its side there, and its change."""

    measure: Measure
    rank: int | None
    change: Change | None = None


def context(query: Mapping[str, str], before: Run, after: Sequence[Run]) -> dict[str, Any]:
    """Return the tables and maps of all runs, the run before first."""
    runs = [before, *after]
    pairs = success_rates.pairs(before.pk)
    place = _place(query.get("pair", ""), len(pairs))
    most = WORDS[1] if query.get("words") == str(WORDS[1]) else WORDS[0]
    own = success_rates.contexts(before.pk, pairs[place]) if pairs else []
    single = query.get("context", "") if query.get("context", "") in own else ""
    return {
        "statistics": CARDS,
        "runs": runs,
        "clusters": _clusters(before, after),
        "pairs": pairs,
        "place": place,
        "contexts": own,
        "single": single,
        "most": most,
        "offered": WORDS,
        "words": _words(before, after, pairs[place], single, most) if pairs else [],
        "left_out": sum(_left_out(before, one) for one in after),
        "maps": [(run, clouds(_places(run))) for run in runs],
        "side": MAP,
    }


def _place(given: str, size: int) -> int:
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 5 and int(given) < size else 0


def _clusters(before: Run, after: Sequence[Run]) -> list[tuple[Pair, list[tuple[Run, ClusterCell | None]]]]:
    """Return each pair of groups with its cell in each run, the run before first."""
    runs = [before, *after]
    found = [_clusters_of(run) for run in runs]
    changes = [{}, *({_pair(one): one for one in _changes(before, run, CLUSTERS)} for run in after)]
    pairs = list(dict.fromkeys(pair for own in found for pair in own))
    return [
        (
            pair,
            [(run, _cell(own.get(pair), of.get(pair))) for run, own, of in zip(runs, found, changes, strict=True)],
        )
        for pair in pairs
    ]


def _cell(clusters: Clusters | None, change: Change | None) -> ClusterCell | None:
    return ClusterCell(clusters, change) if clusters and clusters.measure else None


def _clusters_of(run: Run) -> dict[Pair, Clusters]:
    cells: dict[Pair, Clusters] = {}
    for one in measures(of_run(run.pk, CLUSTERS).filter(attribute="", template="").order_by("pk")):
        cell = cells.setdefault((one.group_a, one.group_b), Clusters())
        if one.condition:
            cell.others[one.condition] = one
        else:
            cell.measure = one
    return cells


def _pair(row: Change) -> Pair:
    return row["group_a"], row["group_b"]


def _changes(before: Run, run: Run, statistic: str, words: Sequence[str] = ()) -> list[Change]:
    return before_after.of_statistic(run.pk, before.pk, statistic, words)


def _words(before: Run, after: Sequence[Run], pair: Pair, single: str, most: int) -> list[dict[str, Any]]:
    """Return the words that are among the top ones of either side in any run, each with its figures in all runs.

    Changes are tested over all contexts together only.
    """
    chosen = [_chosen(run, pair, single) for run in (before, *after)]
    runs = [before, *after]
    top = [success_rates.strongest(run.pk, of, most) for run, of in zip(runs, chosen, strict=True)]
    words = list(dict.fromkeys(one.attribute for own in top for one in own))
    found = [success_rates.of_words(run.pk, of, words) for run, of in zip(runs, chosen, strict=True)]
    changes = [{}, *(_changes_of_words(before, run, pair, words) if not single else {} for run in after)]
    ranks = [_ranks(own) for own in top]
    figures = list(zip(runs, found, ranks, changes, strict=True))
    rows = [
        {"word": word, "cells": [(run, _word(word, own, rank, change)) for run, own, rank, change in figures]}
        for word in words
    ]
    return sorted(rows, key=_order)


def _chosen(run: Run, pair: Pair, single: str) -> Chosen:
    variants = success_rates.variants(run.pk, pair)
    return Chosen(*pair, single, variants[0] if variants else "")


def _ranks(found: Sequence[Measure]) -> dict[str, int]:
    """Return the place of each word among those of its side; `found` has side after side, the strongest first."""
    sides = [[one for one in found if ((one.value or 0.0) > 0) == more] for more in (True, False)]
    strongest_first = [sides[0], sides[1][::-1]]
    return {one.attribute: rank for own in strongest_first for rank, one in enumerate(own, start=1)}


def _changes_of_words(before: Run, run: Run, pair: Pair, words: Sequence[str]) -> dict[str, Change]:
    return {one["attribute"]: one for one in _changes(before, run, DIFFERENCE, words) if _pair(one) == pair}


def _word(
    word: str, found: Mapping[str, Measure], ranks: Mapping[str, int], changes: Mapping[str, Change]
) -> WordCell | None:
    return WordCell(found[word], ranks.get(word), changes.get(word)) if word in found else None


def _order(row: dict[str, Any]) -> tuple[float, str]:
    """Words of the first group come first, those that differ most in the first run that has them."""
    first = next(cell for _, cell in row["cells"] if cell)
    return -(first.measure.value or 0.0), row["word"]


def _left_out(before: Run, run: Run) -> int:
    """Return how many differences have no outcome, because the word misled too seldom in one of the runs."""
    found = of_run(run.pk, DIFFERENCE_IN_DIFFERENCES.name).filter(variant=f"run:{before.pk}")
    return found.filter(Q(category=FEW)).count()


def _places(run: Run) -> list[Measure]:
    return measures(of_run(run.pk, success_rates.PROJECTION).order_by("pk")[: 2 * success_rates.MOST_NAMES])


SECTION = BeforeAfterSection(
    "sodapop/before_after.html", context, statistic=DIFFERENCE, units="names", differences="differences of words"
)
