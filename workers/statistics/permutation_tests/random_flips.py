"""How often sums reach the observed one under random sign flips, counted in single precision and yet exactly."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workers.statistics.permutation_tests.sign_flips import TIE, directions, random_patterns
from workers.statistics.threads import one_thread
from workers.statistics.units import Floats

Singles = npt.NDArray[np.float32]
CELLS_AT_ONCE = 128
"""Their sums under a batch of patterns, 2 MiB, stay in the cache of a core."""


def count_reaching(values: Floats, seed: int, draws: int, *, two_sided: bool = False) -> npt.NDArray[np.int64]:
    """Of `draws` random ways to flip the signs of values [cells, units] how many sum to at least their sum, [cells].

    Two-sided: to at least their sum on either side. Sums are taken in single precision, at half of the time. Those
    closer to the observed sum than its rounding are taken again in double precision, so no count differs.
    """
    parts = [_Part.of(values[start : start + CELLS_AT_ONCE]) for start in range(0, len(values), CELLS_AT_ONCE)]
    # The library's own threads would wait for one another: the matrices are small, and there are many of them.
    with one_thread(), ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for signs in random_patterns(values.shape[1], seed, draws):
            turned = np.ascontiguousarray(signs.T, dtype=np.float32)
            list(pool.map(lambda part: part.count(signs, turned, two_sided=two_sided), parts))  # noqa: B023 -- awaited
    return np.concatenate([part.reached for part in parts]) if parts else np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class _Part:
    """Some cells: their values scaled to length 1, in both precisions, and what their sums are compared with."""

    scaled: Floats  # [cells, units]
    narrow: Singles  # [cells, units]
    observed: Floats  # [cells]
    possibly: Singles  # [cells, 1]: a sum below it is below `observed`
    surely: Singles  # [cells, 1]: a sum from it on is not
    reached: npt.NDArray[np.int64]  # [cells]

    @classmethod
    def of(cls, values: Floats) -> "_Part":
        scaled = directions(values)
        observed = scaled.sum(axis=1) - TIE
        # Twice the bound of Higham 2002, "Accuracy and Stability of Numerical Algorithms", section 3.1.
        rounding = (scaled.shape[1] + 4) * np.finfo(np.float32).eps * np.abs(scaled).sum(axis=1)
        possibly, surely = ((observed + side * rounding).astype(np.float32)[:, None] for side in (-1, 1))
        return cls(scaled, scaled.astype(np.float32), observed, possibly, surely, np.zeros(len(values), np.int64))

    def count(self, signs: Floats, turned: Singles, *, two_sided: bool) -> None:
        """Add what reaches under these patterns, signs [patterns, units] and turned [units, patterns]."""
        sums = self.narrow @ turned
        if two_sided:
            np.abs(sums, out=sums)
        least, most = (_count(sums >= limit) for limit in (self.surely, self.possibly))
        self.reached[:] += least
        for cell, near in self._near(sums, np.flatnonzero(most > least)):
            exact = signs[near] @ self.scaled[cell]
            self.reached[cell] += np.count_nonzero((np.abs(exact) if two_sided else exact) >= self.observed[cell])

    def _near(self, sums: Singles, cells: npt.NDArray[np.intp]) -> Iterator[tuple[int, npt.NDArray[np.intp]]]:
        """The patterns of each of these cells that single precision cannot decide."""
        for cell in cells.tolist():
            own = sums[cell]
            yield cell, np.flatnonzero((own >= self.possibly[cell]) & (own < self.surely[cell]))


def _count(reached: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """How many are true in each row; numpy counts one row at a time much faster than along an axis."""
    return np.array([np.count_nonzero(row) for row in reached], dtype=np.int64)
