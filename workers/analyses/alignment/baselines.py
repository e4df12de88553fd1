"""Baselines for a model's agreement with people, on the same cells."""

from dataclasses import replace
from typing import Any

import numpy as np

from plumbline.spec.measure import Measure
from workers.analyses.alignment import ceiling
from workers.analyses.alignment.agreement import ENDS, TOO_FEW, K, Tables, of_groups, overall
from workers.statistics.known import mean_of_known
from workers.statistics.precision import Precision, chance_precision, precision_at
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats


def baselines(tables: Tables, ratings: Floats, resampling: Resampling) -> list[Measure]:
    """Return the baselines of random rankings and of halves of the raters, on the cells of the tables.

    `ratings` [annotators, groups, pairs] are those behind the tables' means. Each baseline has its condition and no
    variant.
    """
    return [*chance(tables, resampling), *ceiling.of_halves(tables.only_compared(ratings), resampling)]


def chance(tables: Tables, resampling: Resampling) -> list[Measure]:
    """Return the mean precision of random rankings; the interval is the range of their means over these groups."""
    judged = tables.only_compared(tables.human)
    expected, drawn = chance_precision(K, judged), _random_precisions(judged, resampling)
    reason = "the interval is the range of rankings at random"
    found = []
    for suffix, part in ENDS.items():
        means = mean_of_known(getattr(drawn, part), axis=1)
        low, high = np.quantile(means, [(1 - resampling.level) / 2, (1 + resampling.level) / 2])
        value = float(mean_of_known(getattr(expected, part), axis=0))
        unit = of_groups(tables, int(np.count_nonzero(~np.isnan(getattr(expected, part)))))
        if np.isnan(value):
            found.append(Measure(f"precision_at_3{suffix}", value=None, **(unit | {"reason": TOO_FEW})))
            continue
        numbers: dict[str, Any] = {"value": value, "ci_low": float(low), "ci_high": float(high)}
        found.append(Measure(f"precision_at_3{suffix}", **numbers, **(unit | {"reason": reason})))
    return [replace(measure, condition="chance") for measure in found]


def group_blind(tables: Tables, resampling: Resampling) -> list[Measure]:
    """Return the agreement of a baseline that predicts each group by the mean of the other groups' ratings."""
    human = tables.human
    if len(human) < 2:
        return []
    others = np.stack([mean_of_known(np.delete(human, row, axis=0), axis=0) for row in range(len(human))])
    blind = Tables(tables.labels, others, tables.only_compared(human)).comparable()
    found = overall(blind, resampling) if blind.labels else []
    return [replace(measure, condition="group_blind", reason="a baseline: no test") for measure in found]


def _random_precisions(human: Floats, resampling: Resampling) -> Precision:
    """Return the precision of random rankings, [resamples, groups]."""
    noise = resampling.generator(0).random((resampling.resamples, *human.shape))
    return precision_at(K, noise, np.broadcast_to(human, noise.shape))
