"""Agreement among people: the highest agreement that a model can be expected to reach."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from plumbline.spec.measure import Measure
from plumbline.spec.random_halves import halves
from workers.analyses.alignment.agreement import ENDS, K
from workers.measures.estimated import defined
from workers.statistics.correlations.kendall import kendall_rows
from workers.statistics.correlations.rank_agreement import kendall_tau
from workers.statistics.intervals import bootstrap_interval
from workers.statistics.known import mean_of_known
from workers.statistics.precision import precision_at
from workers.statistics.rates.rate_intervals import rate_interval
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats, blocks

SPLITS = 200
RANGE = f"the interval is the range of {SPLITS} random halves"


def of_halves(values: Floats, resampling: Resampling) -> list[Measure]:
    """Return the agreement between random halves of each group's raters: tau, its mean within groups, precision at 3.

    `values` is [annotators, groups, pairs], NaN for a missing rating.
    """
    drawn: dict[str, list[float]] = {}
    for one, other in halves(values, resampling.generator(1), SPLITS):
        precision = precision_at(K, one, other)
        figures = {
            "kendall_tau": kendall_tau(one.ravel(), other.ravel())[0],
            "kendall_tau_mean": _known_mean(kendall_rows(one, other)),
            **{f"precision_at_3{suffix}": _known_mean(getattr(precision, part)) for suffix, part in ENDS.items()},
        }
        for statistic, figure in figures.items():
            drawn.setdefault(statistic, []).append(figure)
    raters = int((~np.isnan(values).all(axis=(1, 2))).sum())
    ratings = int((~np.isnan(values)).sum())
    found = [_of_splits(name, np.array(figures), ratings, raters, resampling) for name, figures in drawn.items()]
    return [replace(measure, condition="human_ceiling") for measure in found]


def _of_splits(statistic: str, figures: Floats, ratings: int, raters: int, resampling: Resampling) -> Measure:
    known = figures[~np.isnan(figures)]
    if not known.size:
        return Measure(statistic, "annotator", ratings, raters, None, reason="too few raters to halve")
    low, high = np.quantile(known, [(1 - resampling.level) / 2, (1 + resampling.level) / 2])
    return Measure(statistic, "annotator", ratings, raters, float(known.mean()), float(low), float(high), reason=RANGE)


def one_against_rest(values: Floats, resampling: Resampling) -> list[Measure]:
    """Return the agreement of each rater with the mean of the others, averaged over raters, who are the unit."""
    taus, precisions, ratings = [], [], []
    for rater, own in enumerate(values):
        asked = np.flatnonzero(~np.isnan(own).all(axis=1))
        rest = mean_of_known(np.delete(values[:, asked], rater, axis=0), 0)
        taus.append(kendall_tau(own[asked].ravel(), rest.ravel())[0])
        precisions.append(_known_mean(precision_at(K, own[asked], rest).mean))
        ratings.append(np.count_nonzero(~np.isnan(own)))
    named = {"kendall_tau": np.array(taus), "precision_at_3": np.array(precisions)}
    found = [_of_raters(name, figures, np.array(ratings), resampling) for name, figures in named.items()]
    return [replace(measure, condition="human_ceiling", variant="one_against_rest") for measure in found]


def _of_raters(statistic: str, figures: Floats, ratings: npt.NDArray[np.int64], resampling: Resampling) -> Measure:
    known = ~np.isnan(figures)
    units, n = int(known.sum()), int(ratings[known].sum())
    if not units:
        reason = "no rater whose answers differ and are shared with others"
        return Measure(statistic, "annotator", n, units, None, reason=reason)
    interval = rate_interval if statistic.startswith("precision") else bootstrap_interval
    (low,), (high,) = interval(
        blocks(figures[known][None]), seed=resampling.seed, resamples=resampling.resamples, level=resampling.level
    )
    numbers: dict[str, Any] = {"value": float(figures[known].mean()), "ci_low": defined(low), "ci_high": defined(high)}
    return Measure(statistic, unit="annotator", n=n, n_units=units, **numbers)


def _known_mean(values: Floats) -> float:
    return float(mean_of_known(values, axis=0))
