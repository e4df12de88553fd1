"""Measures of targets with features, one per pair."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline.methods.indirect.spec import IndirectMaterials
from plumbline.spec.measure import Measure
from workers.measures.estimated import defined
from workers.statistics.units import Floats, Positions


@dataclass(frozen=True)
class Cells:
    """A statistic's arrays [targets, features of all sets], NaN if undefined; None if the statistic has none."""

    statistic: str
    unit: str
    n: Sequence[int]
    """n of each feature."""
    value: Floats
    undefined: Sequence[str]
    """Why the value of each feature is missing, if it is."""
    low: Floats | None = None
    high: Floats | None = None
    p_value: Floats | None = None
    equivalence_p: Floats | None = None
    least_p: Floats | None = None
    variant: str = ""
    n_units: int | None = None
    """The number of units, if it differs from `n`."""

    def measures(self, materials: IndirectMaterials, features: Sequence[int]) -> Iterator[Measure]:
        """Yield the measures of these features."""
        numbers = {"value": self.value, "ci_low": self.low, "ci_high": self.high, "p_value": self.p_value}
        numbers |= {"equivalence_p": self.equivalence_p, "least_p": self.least_p}
        there = {name: table for name, table in numbers.items() if table is not None}
        texts, lists = [one.text for one in materials.features], materials.categories
        for row, target in enumerate(materials.targets):
            for place in features:
                own: dict[str, Any] = {name: defined(table[row, place]) for name, table in there.items()}
                yield Measure(
                    statistic=self.statistic,
                    unit=self.unit,
                    n=self.n[place],
                    n_units=self.n[place] if self.n_units is None else self.n_units,
                    group_a=target.text,
                    attribute=texts[place],
                    category=lists[place],
                    variant=self.variant,
                    reason="" if own["value"] is not None else self.undefined[place],
                    **own,
                )


def over_all(found: Floats, places: Positions, features: int) -> Floats:
    """Return the columns at their places among those of all sets."""
    whole = np.full((len(found), features), np.nan)
    whole[:, places] = found
    return whole
