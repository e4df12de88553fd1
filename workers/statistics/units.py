"""Units of generalisation, which are resampled instead of single items."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Positions = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Blocks:
    """Sums of the items of each cell within each unit. A unit without a scorable item has count 0 and sum 0."""

    sums: Floats  # [cells, units]
    counts: Floats  # [cells, units]

    @property
    def n(self) -> npt.NDArray[np.int64]:
        """The number of scorable items, [cells]."""
        return np.asarray(self.counts.sum(axis=1), dtype=np.int64)

    @property
    def n_units(self) -> npt.NDArray[np.int64]:
        """The number of units with at least one scorable item, [cells]."""
        return np.asarray(np.count_nonzero(self.counts, axis=1), dtype=np.int64)

    @property
    def means(self) -> Floats:
        """The mean over the scorable items (not over the units), [cells]; NaN without an item."""
        means = np.full(len(self.sums), np.nan)
        np.divide(self.sums.sum(axis=1), self.n, out=means, where=self.n > 0)
        return means

    @property
    def by_unit(self) -> Floats:
        """The mean of each cell in each unit, [cells, units]; NaN without a scorable item."""
        means = np.full(self.sums.shape, np.nan)
        np.divide(self.sums, self.counts, out=means, where=self.counts > 0)
        return means

    def by_n_units(self) -> Iterator[tuple[Positions, "Blocks"]]:
        """The cells that have the same number of units, whichever these are, with the empty units taken out.

        Resampling sees a cell's own units only, and yet one matrix product serves all cells of a group:

            cell 0   a b . d          a b d
            cell 1   . b c d    ->    b c d        one group of three units
        """
        n_units = self.n_units
        filled_first = np.argsort(self.counts == 0, axis=1, kind="stable")
        for size in np.unique(n_units):
            cells = np.flatnonzero(n_units == size)
            rows, columns = cells[:, None], filled_first[cells, :size]
            yield cells, Blocks(self.sums[rows, columns], self.counts[rows, columns])


def blocks(values: Floats, units: npt.ArrayLike | None = None) -> Blocks:
    """Sum the values [cells, templates] within each unit; NaN marks an item that cannot be scored.

    `units` [templates] numbers the unit of each template: templates that differ in a quantifier only share a number and
    form one block. Without it every template is a unit. The blocks are in the order of the numbers, so the order of
    the templates does not matter. Raises ValueError if the shapes disagree or a value is infinite.
    """
    labels = np.arange(values.shape[1]) if units is None else np.asarray(units)
    if labels.shape != values.shape[1:]:
        raise ValueError(f"{values.shape[1]} templates but units of shape {labels.shape}: give one unit per template.")
    if np.isinf(values).any():
        raise ValueError("A value is infinite: mark an item that cannot be scored with NaN.")
    distinct, unit_of = np.unique(labels, return_inverse=True)
    belongs = np.eye(len(distinct))[unit_of]  # [templates, units]
    scorable = ~np.isnan(values)
    return Blocks(np.where(scorable, values, 0.0) @ belongs, scorable.astype(np.float64) @ belongs)
