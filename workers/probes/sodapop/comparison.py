"""Two runs compared name by name: success rates of each group, and the differences between groups, before and after."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from plumbline.methods.sodapop.card import FEW, FEWEST_SUCCESSES
from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.spec.card import DIFFERENCE_IN_DIFFERENCES, PAIRED_DIFFERENCE
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from workers.measures.estimated import defined, numbers_of
from workers.measures.judging import judged, smallest_effect
from workers.probes.protocol import Audited, Changes
from workers.probes.sodapop.apart import categories_apart
from workers.probes.sodapop.summary_clusters import ALIKE, CLUSTERS
from workers.probes.sodapop.summary_pairs import RELATIVE
from workers.probes.sodapop.summary_words import Table, table_of
from workers.statistics import estimate_cells
from workers.statistics.cluster_changes import accuracy_change
from workers.statistics.rates.rate_comparisons import Successes
from workers.statistics.rates.relative_difference_changes import RelativeChange, Versions, relative_changes

Runs = tuple[Audited[SodapopSpec], Audited[SodapopSpec]]
RARE = "too few successes in one of the runs, or of too few names, to test the change"
STEADY = "no name's success rate changed"


@dataclass(frozen=True, slots=True)
class Paired:
    """The tables of both runs over all contexts, with the same names and words in the same order.

    A name with another group or pronoun is not the same.
    """

    before: Table
    after: Table
    only_first: int
    only_second: int

    @property
    def groups(self) -> list[str]:
        return self.after.groups

    def versions(self, group: str) -> Versions:
        return Versions(self.before.successes(group), self.after.successes(group))


def compare(first: Audited[SodapopSpec], second: Audited[SodapopSpec]) -> Changes:
    """Return how each group's success rate of each word changed, second run minus first, name by name."""
    paired = _paired(first, second)
    spec, words = second.spec, paired.after.words
    measures = [one for group in paired.groups for one in _group_changes(spec, paired, group)]
    return Changes(
        judged(spec, measures, lambda one: one.statistic),
        only_first=paired.only_first * len(paired.groups),
        only_second=paired.only_second * len(paired.groups),
        not_scorable=len(words) * len(paired.groups) - len(measures),
    )


def measure_changes(first: Audited[SodapopSpec], second: Audited[SodapopSpec]) -> list[Measure]:
    """Return how the relative difference of each pair of groups and word, and the accuracy of clusters, changed.

    `condition` names the statistic that changed, and the definition of both runs. The changes of one statistic are one
    family; words in a category of their own, and words with few successes in one of the runs, are apart. Source: An et
    al. 2023, section 6; METHODS 10.
    """
    paired = _paired(first, second)
    apart = categories_apart(second.spec, second.snapshots)
    pairs = list(combinations(paired.groups, 2))
    found = [one for pair in pairs for one in _pair_changes(second.spec, paired, pair, apart)]
    told = judged(second.spec, found, lambda one: f"{one.statistic}\x1f{one.category}")
    return [replace(one, statistic=DIFFERENCE_IN_DIFFERENCES.name, condition=_of(one, second.spec)) for one in told]


def _of(one: Measure, spec: SodapopSpec) -> str:
    """Return the statistic that changed, followed by the definition of the runs where it is not the primary one."""
    return f"{one.statistic}: {spec.variant}" if spec.variant else one.statistic


def _paired(first: Audited[SodapopSpec], second: Audited[SodapopSpec]) -> Paired:
    """Return the tables over the names and words of both runs. Raises InputError for different questions."""
    if not (first.spec.params.ask and second.spec.params.ask):
        raise InputError("one of these runs only generated distractors: no model was asked, so no rate can change.")
    if first.spec.generator != second.spec.generator or first.spec.variant != second.spec.variant:
        raise InputError(
            "the wrong answers of these runs were written by different generators or rules, so they are not the same"
            " questions. Compare runs that differ only in the model that answers."
        )
    tables = [_table(run) for run in (first, second)]
    words = [word for word in tables[0].words if word in set(tables[1].words)]
    asked = {(one.name, one.group, one.pronoun) for one in tables[1].names}
    common = [one.name for one in tables[0].names if (one.name, one.group, one.pronoun) in asked]
    before, after = (_restricted(table, common, words) for table in tables)
    return Paired(before, after, len(tables[0].words) - len(words), len(tables[1].words) - len(words))


def _table(run: Audited[SodapopSpec]) -> Table:
    tallies = run.read("tally", group_by=("name", "group", "word"))
    return table_of(tallies, run.spec.names_of(run.snapshots), run.spec.params)


def _restricted(table: Table, names: Sequence[str], words: Sequence[str]) -> Table:
    place = {one.name: row for row, one in enumerate(table.names)}
    rows = np.array([place[name] for name in names], dtype=np.intp)
    columns = np.array([table.words.index(word) for word in words], dtype=np.intp)
    kept = {key: getattr(table, key)[np.ix_(rows, columns)] for key in ("shown", "chosen", "expected")}
    return replace(table, names=tuple(table.names[row] for row in rows), words=tuple(words), **kept)


def _group_changes(spec: SodapopSpec, paired: Paired, group: str) -> Iterator[Measure]:
    """Yield the mean change of the success rate over a group's names, of words that each run showed with some name."""
    both = paired.versions(group)
    changes = (both.after.rates - both.before.rates).T
    there = np.flatnonzero(~np.isnan(changes).all(axis=1))
    if not len(there):
        return
    margin = smallest_effect(spec, PAIRED_DIFFERENCE.name)
    found = estimate_cells(changes[there], seed=spec.seed, level=spec.params.level, margin=margin)
    for row, column in enumerate(there.tolist()):
        word = paired.after.words[column]
        yield Measure(
            statistic=PAIRED_DIFFERENCE.name, unit="name", group_a=group, attribute=word, **numbers_of(found, row)
        )


def _pair_changes(spec: SodapopSpec, paired: Paired, pair: tuple[str, str], apart: dict[str, str]) -> Iterator[Measure]:
    a, b = (paired.versions(group) for group in pair)
    found = relative_changes(a, b, margin=smallest_effect(spec, RELATIVE), level=spec.params.level)
    few = _few(a.before, b.before) | _few(a.after, b.after)
    shown = np.concatenate([a.after.shown, b.after.shown]).sum(axis=0)
    for column, word in enumerate(paired.after.words):
        category = apart.get(word.lower(), "") or FEW * bool(few[column])
        if not np.isnan(found.value[column]):
            yield _word_change(found, column, word, int(shown[column]), pair, category)
    yield _cluster_change(spec, paired, pair)


def _few(a: Successes, b: Successes) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.asarray(a.chosen.sum(axis=0) + b.chosen.sum(axis=0) < FEWEST_SUCCESSES)


def _word_change(
    found: RelativeChange, column: int, word: str, shown: int, pair: tuple[str, str], category: str
) -> Measure:
    return Measure(
        statistic=RELATIVE,
        unit="name",
        n=shown,
        n_units=int(found.names[column]),
        value=defined(found.value[column]),
        ci_low=defined(found.low[column]),
        ci_high=defined(found.high[column]),
        p_value=defined(found.p_value[column]),
        equivalence_p=defined(found.equivalence_p[column]),
        group_a=pair[0],
        group_b=pair[1],
        category=category,
        attribute=word,
        reason=RARE if found.is_rare[column] else STEADY if np.isnan(found.p_value[column]) else "",
    )


def _cluster_change(spec: SodapopSpec, paired: Paired, pair: tuple[str, str]) -> Measure:
    """Return the change of the accuracy of clusters, over the words that all names of the pair have in both runs."""
    rows = [paired.after.rows_of(group) for group in pair]
    before, after = (table.rates()[np.concatenate(rows)] for table in (paired.before, paired.after))
    whole = ~np.isnan(before + after).any(axis=0)
    margin = smallest_effect(spec, CLUSTERS)
    in_a = np.repeat([True, False], [len(one) for one in rows])
    found = None
    if whole.any():
        found = accuracy_change(
            before[:, whole], after[:, whole], in_a, seed=spec.seed, margin=margin, level=spec.params.level
        )
    shared: dict[str, Any] = {"statistic": CLUSTERS, "group_a": pair[0], "group_b": pair[1], "unit": "name"}
    shared |= {"n": int(whole.sum()), "n_units": len(in_a)}
    if found is None:
        return Measure(value=None, reason=ALIKE, **shared)
    return Measure(
        value=found.value,
        ci_low=found.low,
        ci_high=found.high,
        p_value=found.p_value,
        equivalence_p=defined(found.equivalence_p),
        least_p=found.least_p,
        **shared,
    )
