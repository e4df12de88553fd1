"""Measures of name embeddings: accuracies over splits, and the names on the map."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from plumbline.methods.name_embedding.spec import CHANCE, CONFOUNDS, TEST, NameEmbeddingSpec
from plumbline.spec.measure import Measure, join_variants
from workers.probes.name_embedding.answers import EMBEDDING
from workers.statistics.units import Floats


def summarise(spec: NameEmbeddingSpec, choices: pl.DataFrame, associations: pl.DataFrame) -> list[Measure]:
    """Return accuracy by trait, features and part, embeddings against confounds, and coordinates, from the records."""
    right = choices.with_columns((pl.col("chosen") == pl.col("gold")).cast(pl.Float64).alias("right"))
    found = [
        one for (trait,), own in right.group_by("category", maintain_order=True) for one in _of(spec, str(trait), own)
    ]
    found += _map(associations)
    return [replace(one, variant=join_variants(spec.variant, one.variant)) for one in found]


def _of(spec: NameEmbeddingSpec, trait: str, answers: pl.DataFrame) -> Iterator[Measure]:
    by_split = {
        (str(kind), str(part)): own.group_by("item", maintain_order=True)
        .agg(pl.col("right").mean())["right"]
        .to_numpy()
        for (kind, part), own in answers.group_by("condition", "polarity", maintain_order=True)
    }
    names = answers["name"].n_unique()
    shared: dict[str, Any] = {"category": trait, "n": names}
    for (kind, part), accuracies in by_split.items():
        variant = "" if kind == EMBEDDING else kind
        yield _mean(spec, accuracies, statistic="classifier_accuracy", variant=variant, condition=part, **shared)
    gains = by_split[EMBEDDING, TEST] - by_split[CONFOUNDS, TEST]
    yield _mean(spec, gains, statistic="accuracy_beyond_confounds", condition=TEST, **shared)
    yield _chance(answers.unique("name"), shared)


def _mean(spec: NameEmbeddingSpec, values: Floats, **labels: Any) -> Measure:
    """Return the mean over splits. The splits share names, so their range is a note and not a confidence interval."""
    tail = (1 - spec.params.level) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    told = f"{spec.params.level:.0%} of the splits: {low:.3f} to {high:.3f}".replace("%", " in 100")
    return Measure(value=float(values.mean()), n_units=len(values), unit="split", reason=told, **labels)


def _chance(names: pl.DataFrame, shared: dict[str, Any]) -> Measure:
    counts = names.group_by("gold").len()["len"].to_numpy()
    told = f"always the commonest of {len(counts)}; by lot {1 / len(counts):.3f}"
    value = float(counts.max() / counts.sum())
    return Measure(
        statistic="classifier_accuracy",
        condition=CHANCE,
        value=value,
        unit="name",
        n_units=len(names),
        reason=told,
        **shared,
    )


def _map(associations: pl.DataFrame) -> Iterator[Measure]:
    rows = associations.select("template", "group", "attribute", "score", "reason").rows()
    for axis, group, name, score, reason in rows:
        yield Measure(
            statistic="name_projection",
            group_a=group,
            attribute=name,
            condition=axis,
            value=score,
            n=1,
            n_units=len(rows) // 2,
            unit="name",
            reason=reason or "",
        )
