"""One row of measures for each cell: mean, interval, p, familywise p, q, and why a figure is missing."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workers.statistics.families import q_values
from workers.statistics.intervals import bootstrap_interval
from workers.statistics.permutations import sign_flip
from workers.statistics.units import Blocks, Floats, blocks

NO_ITEM = "no scorable item"
ONE_UNIT = "one unit: no interval and no test"


@dataclass(frozen=True)
class Estimates:
    """Arrays [cells]. NaN is undefined, and `reason` says why; where all is defined the reason is empty."""

    value: Floats
    ci_low: Floats
    ci_high: Floats
    p_value: Floats
    familywise_p_value: Floats
    q_value: Floats
    n: npt.NDArray[np.int64]
    n_units: npt.NDArray[np.int64]
    reason: tuple[str, ...]


def estimate_cells(
    values: Floats,
    units: npt.ArrayLike | None = None,
    *,
    seed: int,
    family: npt.ArrayLike | None = None,
    resamples: int = 2000,
    draws: int = 9999,
    level: float = 0.95,
) -> Estimates:
    """Estimate the mean of each cell of values [cells, templates] and test it against 0; NaN is not scorable.

    `units` [templates] numbers the unit of generalisation of each template (None: each is its own); `family` [cells]
    labels what is corrected together (None: all). The value is the mean over the scorable items, as SQL's avg() gives
    it; interval and test resample whole units. Raises ValueError where shapes disagree or a value is infinite.
    """
    summed = blocks(values, units)
    families = np.zeros(len(values)) if family is None else family
    low, high = bootstrap_interval(summed, seed=seed, resamples=resamples, level=level)
    test = sign_flip(summed, seed=seed, family=families, draws=draws)
    return Estimates(
        value=summed.means,
        ci_low=low,
        ci_high=high,
        p_value=test.p_value,
        familywise_p_value=test.familywise_p_value,
        q_value=q_values(test.p_value, families),
        n=summed.n,
        n_units=summed.n_units,
        reason=_reasons(summed),
    )


def _reasons(summed: Blocks) -> tuple[str, ...]:
    reason_of = {0: NO_ITEM, 1: ONE_UNIT}
    return tuple(reason_of.get(units, "") for units in summed.n_units.tolist())
