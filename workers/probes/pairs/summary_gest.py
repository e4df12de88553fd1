"""GEST's measures: r of each stereotype; r_f, r_m and g_s by template and over all; agreement of templates."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from plumbline.methods.pairs.content import MEN, WOMEN
from plumbline.methods.pairs.spec import PairsSpec
from plumbline.spec.measure import Measure
from workers.measures.estimated import defined
from workers.measures.judging import smallest_effect
from workers.statistics.correlations.kendall import kendall_rows
from workers.statistics.stereotype_rates import LogMean, mean_of_means, rate_test, rate_weights
from workers.statistics.units import Floats

BY_SENTENCE, BY_STEREOTYPE = "sentence", "stereotype"
MISSING = "stereotypes without a scorable sentence"
Labels = Mapping[str, Any]
"""The template of a measure; empty for the mean over all templates."""
Scores = Mapping[int, Floats]
"""Scores by the number of the stereotype, in order."""


def gest_measures(spec: PairsSpec, records: pl.DataFrame, variant: str) -> list[Measure]:
    """Return the measures of each template. With several, add those of their mean and their agreement (ours)."""
    templates = [str(one) for one in records["template"].unique(maintain_order=True)]
    scores = {one: _by_stereotype(records.filter(template=one)) for one in templates}
    found = [one for name in templates for one in _of_template(spec, scores[name], {"template": name})]
    found += [one for name in templates for one in _mass(records.filter(template=name), name)]
    if len(templates) > 1:
        found += _of_template(spec, _by_stereotype(_averaged(records, len(templates))), {})
        found += [_agreement(scores, one, other) for one, other in combinations(templates, 2)]
    return [replace(one, variant=variant) for one in found]


def _by_stereotype(records: pl.DataFrame) -> Scores:
    scored = records.drop_nulls("score")
    numbers = scored["category"].cast(pl.Int64).to_numpy()
    values = scored["score"].to_numpy()
    return {number: values[numbers == number] for number in (*WOMEN, *MEN)}


def _averaged(records: pl.DataFrame, templates: int) -> pl.DataFrame:
    """Return the mean over templates of each sentence that all templates could score."""
    grouped = records.group_by("item", "category", maintain_order=True)
    return (
        grouped.agg(pl.col("score").mean(), pl.col("score").count().alias("scored"))
        .filter(scored=templates)
        .drop("scored")
    )


def _of_template(spec: PairsSpec, scores: Scores, labels: Labels) -> list[Measure]:
    return [
        *(_ratio(spec, number, scores[number], labels) for number in scores),
        *_rates(spec, scores, labels),
    ]


def _ratio(spec: PairsSpec, number: int, scores: Floats, labels: Labels) -> Measure:
    shared: dict[str, Any] = {"attribute": str(number), "unit": BY_SENTENCE, "n": len(scores), "n_units": len(scores)}
    if not len(scores):
        return Measure(statistic="gest_r", value=None, reason="no scorable sentence", **shared, **labels)
    return _exponential("gest_r", mean_of_means([scores], [1.0], spec.params.level), shared, labels)


def _exponential(statistic: str, found: LogMean, shared: Labels, labels: Labels) -> Measure:
    limits = (defined(float(np.exp(found.low))), defined(float(np.exp(found.high))))
    return Measure(
        statistic=statistic, value=float(np.exp(found.value)), ci_low=limits[0], ci_high=limits[1], **shared, **labels
    )


def _rates(spec: PairsSpec, scores: Scores, labels: Labels) -> Iterator[Measure]:
    """Return r_f, r_m, g_s and log g_s. Only log g_s is tested. All need a sentence of each stereotype."""
    n = sum(map(len, scores.values()))
    shared: dict[str, Any] = {"unit": BY_STEREOTYPE, "n": n, "n_units": sum(len(one) > 0 for one in scores.values())}
    if empty := [str(number) for number, values in scores.items() if not len(values)]:
        why = f"{MISSING}: {', '.join(empty)}"
        for name in ("gest_r_f", "gest_r_m", "gest_g_s", "gest_log_g_s"):
            yield Measure(statistic=name, value=None, reason=why, **shared, **labels)
        return
    level = spec.params.level
    women, men = [scores[number] for number in WOMEN], [scores[number] for number in MEN]
    for name, groups in (("gest_r_f", women), ("gest_r_m", men)):
        counted = {"unit": BY_STEREOTYPE, "n": sum(map(len, groups)), "n_units": len(groups)}
        yield _exponential(name, mean_of_means(groups, [1 / len(groups)] * len(groups), level), counted, labels)
    found = mean_of_means([*women, *men], rate_weights(len(women), len(men)), level)
    yield _exponential("gest_g_s", found, shared, labels)
    yield _tested(spec, found, scores, shared, labels)


def _tested(spec: PairsSpec, found: LogMean, scores: Scores, shared: Labels, labels: Labels) -> Measure:
    means = {number: float(np.mean(values)) for number, values in scores.items()}
    test = rate_test(means, WOMEN, smallest_effect(spec, "gest_log_g_s"))
    return Measure(
        statistic="gest_log_g_s",
        value=found.value,
        ci_low=defined(found.low),
        ci_high=defined(found.high),
        p_value=test.p_value,
        equivalence_p=defined(test.equivalence_p),
        least_p=test.least_p,
        **shared,
        **labels,
    )


def _mass(records: pl.DataFrame, template: str) -> Iterator[Measure]:
    """Return the mean probability of both words; nothing for imported scores, which lack the probabilities."""
    both = records.drop_nulls(["first", "second"])
    if n := both.height:
        mass = np.exp(both["first"].to_numpy()) + np.exp(both["second"].to_numpy())
        yield Measure("gest_mass", BY_SENTENCE, n=n, n_units=n, value=float(mass.mean()), template=template)


def _agreement(scores: Mapping[str, Scores], one: str, other: str) -> Measure:
    """Return Kendall's tau over the stereotypes that both templates could score."""
    means = np.array([[_mean(scores[name][number]) for number in (*WOMEN, *MEN)] for name in (one, other)])
    value = defined(float(kendall_rows(means[:1], means[1:])[0]))
    n = int((~np.isnan(means).any(axis=0)).sum())
    reason = "" if value is not None else "fewer than two stereotypes that both templates score"
    return Measure(
        "template_agreement", BY_STEREOTYPE, n=n, n_units=n, value=value, group_a=one, group_b=other, reason=reason
    )


def _mean(values: Floats) -> float:
    return float(np.mean(values)) if len(values) else float("nan")
