"""Settings of resampling: the seed, the numbers of draws, and the level of intervals."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workers.statistics.intervals import expanded_tail, has_width
from workers.statistics.units import Floats


@dataclass(frozen=True, slots=True)
class Resampling:
    """Seed, number of bootstrap resamples, number of random permutations (or sign flips), and level of intervals."""

    seed: int = 0
    resamples: int = 2000
    permutations: int = 9999
    level: float = 0.95

    def orders(self, units: int) -> npt.NDArray[np.intp]:
        """Return random permutations of the units, [permutations, units]."""
        generator = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(2, units)))
        return generator.permuted(np.tile(np.arange(units), (self.permutations, 1)), axis=1)

    def generator(self, purpose: int) -> np.random.Generator:
        """Return a random generator that is independent of those of other purposes."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(3, purpose)))

    def interval(self, drawn: Floats, units: int) -> tuple[float, float]:
        """Return the expanded percentile interval of resampled values.

        NaN below two units, if all values are equal, or if most are undefined.
        """
        known = drawn[~np.isnan(drawn)]
        if units < 2 or known.size < drawn.size / 2:
            return float("nan"), float("nan")
        tail = expanded_tail(units, self.level)
        low, high = np.quantile(known, [tail, 1 - tail])
        return (float(low), float(high)) if has_width(low, high) else (float("nan"), float("nan"))
