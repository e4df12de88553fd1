"""What a model's agreement is held against, on the very cells that it is computed on."""

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
    """Rankings at random, and halves of the raters, on the cells of the tables.

    `ratings` [annotators, groups, pairs] are those that the tables' means are of; with a condition each, no variant.
    """
    return [*chance(tables, resampling), *ceiling.of_halves(tables.only_compared(ratings), resampling)]


def chance(tables: Tables, resampling: Resampling) -> list[Measure]:
    """Precision of rankings at random: their mean, and as interval the range of their means over these groups."""
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
    """Each group predicted by the mean of the other groups' ratings: stereotypes of nobody."""
    human = tables.human
    if len(human) < 2:
        return []
    others = np.stack([mean_of_known(np.delete(human, row, axis=0), axis=0) for row in range(len(human))])
    blind = Tables(tables.labels, others, tables.only_compared(human)).comparable()
    found = overall(blind, resampling) if blind.labels else []
    return [replace(measure, condition="group_blind", reason="a baseline: no test") for measure in found]


def _random_precisions(human: Floats, resampling: Resampling) -> Precision:
    """Precision of rankings at random, [resamples, groups]."""
    noise = resampling.generator(0).random((resampling.resamples, *human.shape))
    return precision_at(K, noise, np.broadcast_to(human, noise.shape))
