"""What the product found in simulated runs, and what follows for the calibration table."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plumbline.spec.verdicts import Verdict
from workers.statistics import Estimates
from workers.statistics.units import Floats
from workers.statistics.verdicts import Effects, judge

LEVEL = 0.95


@dataclass(frozen=True)
class Found:
    """What the product found in each simulation, arrays [simulations]; `truth` is the true value."""

    value: Floats
    low: Floats
    high: Floats
    p_value: Floats
    equivalence_p: Floats
    least_p: Floats
    units: int
    truth: float

    @property
    def coverage(self) -> float:
        """How often an interval holds the truth, of those that are defined; NaN if there is none."""
        known = ~np.isnan(self.low)
        held = (self.low <= self.truth + 1e-12) & (self.truth - 1e-12 <= self.high)
        return float(held[known].mean()) if known.any() else np.nan

    @property
    def rejected(self) -> float:
        """How often p is below 1 - LEVEL, of those that are defined."""
        return float(np.mean(self.p_value[~np.isnan(self.p_value)] < 1 - LEVEL))

    def shares(self, margin: float) -> dict[Verdict, float]:
        """How often each verdict is given, each simulation judged alone."""
        size = len(self.value)
        effects = Effects(
            estimate=self.value,
            p_value=self.p_value,
            equivalence_p=self.equivalence_p,
            least_p=self.least_p,
            smallest_effect=np.full(size, margin),
            n_units=np.full(size, self.units),
            family=np.arange(size).astype(str),
        )
        given = Counter(judge(effects).verdict)
        return {verdict: given[verdict] / size for verdict in Verdict}


def found_of(
    value: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    p_value: npt.ArrayLike = np.nan,
    equivalence_p: npt.ArrayLike = np.nan,
    *,
    units: int,
    truth: float,
    least_p: npt.ArrayLike = 0.0,
) -> Found:
    """Arrays, or one number for all simulations."""
    given = (value, low, high, p_value, equivalence_p, least_p)
    arrays = np.broadcast_arrays(*(np.asarray(one, dtype=np.float64) for one in given))
    value, low, high, p_value, equivalence_p, least_p = (np.array(one) for one in arrays)
    return Found(value, low, high, p_value, equivalence_p, least_p, units, truth)


def found_of_estimates(one: Estimates, *, units: int, truth: float) -> Found:
    """One cell a simulation."""
    return found_of(
        one.value,
        one.ci_low,
        one.ci_high,
        one.p_value,
        one.equivalence_p,
        least_p=one.least_p,
        units=units,
        truth=truth,
    )


def batches(size: int, batch: int) -> Iterator[int]:
    """The sizes of the batches that make up `size` simulations."""
    for start in range(0, size, batch):
        yield min(batch, size - start)


def joined(parts: list[Found]) -> Found:
    """Batches of simulations of one effect as one."""
    value, low, high, p_value, equivalence_p, least_p = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("value", "low", "high", "p_value", "equivalence_p", "least_p")
    )
    return Found(value, low, high, p_value, equivalence_p, least_p, parts[0].units, parts[0].truth)
