"""The change of a rate or a score from one run to another, paired by unit."""

from dataclasses import dataclass

import numpy as np

from workers.statistics.jackknife import Jackknifed, jackknifed
from workers.statistics.rates.few_events import sparse
from workers.statistics.ratio_of_sums import ratios_without
from workers.statistics.units import Floats


@dataclass(frozen=True, slots=True)
class UnitSums:
    """What a rate sums in each unit, and over how many answers, both [units]. The rate is the ratio of their sums."""

    sums: Floats
    sizes: Floats

    @property
    def rate(self) -> float:
        return float(self.sums.sum() / self.sizes.sum()) if self.sizes.sum() > 0 else np.nan


def rate_change(
    before: UnitSums, after: UnitSums, *, largest: float = 1.0, margin: float = np.nan, level: float = 0.95
) -> Jackknifed:
    """Return the rate after minus the rate before, of the same units, with the jackknife's interval and tests.

    `largest` is the most by which one answer can change: 1 for a share, 2 for a score from -1 to 1. If fewer than five
    units change, the change is at most as large as the share of such units, whose exact limit is the interval, and p is
    1 (see `few_events`). Source: ours.
    """
    value = after.rate - before.rate
    without = ratios_without(after.sums, after.sizes) - ratios_without(before.sums, before.sizes)
    found = jackknifed(value, [without], margin=margin, level=level)
    changed = np.count_nonzero((before.sums != after.sums) | (before.sizes != after.sizes))
    rare = sparse(value / largest, changed, found.n_units, margin / largest, level)
    if np.isnan(value) or not rare.few or found.n_units < 2:
        return found
    limit = float(largest * rare.limit)
    return Jackknifed(value, -limit, limit, 1.0, float(rare.equivalence_p), found.n_units)
