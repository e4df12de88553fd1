"""Agreement of success rates of names with their groups: K-means for each two groups, and a map of all names."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from plumbline.spec.measure import Measure
from workers.probes.sodapop.summary_pairs import Settings
from workers.probes.sodapop.summary_words import Table
from workers.statistics.clusters import SEEDS, ClusterAccuracy, cluster_accuracy, project
from workers.statistics.units import Floats

ALIKE = "no word that all of these names have, or all of them have the same success rates"
TOO_FEW = "fewer than four names, or no word that all of them have"
CLUSTERS, CHANCE = "kmeans_accuracy", "chance"
EXACT = "exact, from the sizes of groups and clusters"


def clusters(table: Table, settings: Settings) -> Iterator[Measure]:
    rates = table.rates()
    for pair in itertools.combinations(table.groups, 2):
        x, y = (rates[table.rows_of(group)] for group in pair)
        whole = ~np.isnan(np.concatenate([x, y])).any(axis=0)
        shared: dict[str, Any] = {
            "statistic": CLUSTERS,
            "group_a": pair[0],
            "group_b": pair[1],
            "n": int(whole.sum()),
            "n_units": len(x) + len(y),
            "unit": "name",
        }
        restarts = settings.params.restarts
        found = cluster_accuracy(
            x[:, whole], y[:, whole], seed=settings.seed, restarts=restarts, margin=settings.margin(CLUSTERS)
        )
        if found is None:
            yield Measure(value=None, reason=ALIKE, **shared)
        else:
            yield from _accuracies(found, restarts, shared)


def _accuracies(found: ClusterAccuracy, restarts: int, shared: dict[str, Any]) -> Iterator[Measure]:
    """Yield the accuracy with its range and chance. `n` is the number of words, the length of the vectors."""
    told = (
        f"median of {SEEDS} seeds, the best of {restarts} restarts each ({found.lowest:.2f} to {found.highest:.2f});"
        f" single restarts {found.single_lowest:.2f} to {found.single_highest:.2f}"
    )
    tests: dict[str, Any] = {"p_value": found.p_value, "equivalence_p": found.equivalence_p, "least_p": found.least_p}
    yield Measure(value=found.value, reason=told, **tests, **shared)
    conditions = {
        "lowest": (found.lowest, f"of {SEEDS} seeds"),
        "highest": (found.highest, f"of {SEEDS} seeds"),
        "single restart, lowest": (found.single_lowest, f"of {SEEDS * restarts} restarts"),
        "single restart, highest": (found.single_highest, f"of {SEEDS * restarts} restarts"),
        CHANCE: (found.chance, EXACT),
        "chance, 95th percentile": (found.chance_95, EXACT),
    }
    for condition, (value, reason) in conditions.items():
        yield Measure(value=value, condition=condition, reason=reason, **shared)


def projection(table: Table, settings: Settings) -> Iterator[Measure]:
    """Yield the names on a map by their success rates, over words that all of them have."""
    rates = table.rates()
    own = rates[:, ~np.isnan(rates).any(axis=0)]
    yield from mapped(table, project(own, settings.seed), own.shape[1])


def mapped(table: Table, places: Floats | None, words: int) -> Iterator[Measure]:
    shared: dict[str, Any] = {
        "statistic": "success_rate_projection",
        "n": words,
        "n_units": len(table.names),
        "unit": "name",
    }
    if places is None:
        yield Measure(value=None, reason=TOO_FEW, **shared)
        return
    for name, place in zip(table.names, places.tolist(), strict=True):
        for condition, value in zip("xy", place, strict=True):
            yield Measure(value=value, condition=condition, group_a=name.group, attribute=name.name, **shared)
