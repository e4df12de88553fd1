"""Agreement of pair scores with mean ratings, over all groups and by group.

The unit of generalisation is the group, because the cells of one group depend on each other. Intervals therefore
resample groups. Within one group the unit is the pair. The test is of the excess over other groups' ratings
(`excess.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from plumbline.spec.measure import Measure
from workers.measures.estimated import defined
from workers.statistics.correlations.kendall import kendall_rows
from workers.statistics.correlations.rank_agreement import kendall_tau, mirrored, resampled_taus
from workers.statistics.intervals import times_drawn
from workers.statistics.known import mean_of_known
from workers.statistics.precision import precision_at
from workers.statistics.rates.rate_intervals import rate_interval
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats, blocks

K = 3
ENDS = {"": "mean", "_top": "top", "_bottom": "bottom"}
"""Suffixes of precision_at_3 and the fields of Precision."""
TOO_FEW = f"fewer than {2 * K} pairs with both a score and enough ratings"
TIED = "no two cells that differ"
ALIKE = "all resamples agree: no interval"


@dataclass(frozen=True)
class Tables:
    """Scores and mean ratings of the same groups on the same pairs, [groups, pairs]; NaN if one is missing."""

    labels: tuple[str, ...]
    scores: Floats
    human: Floats

    @cached_property
    def compared(self) -> npt.NDArray[np.bool_]:
        """Which cells have both a score and a rating, [groups, pairs]."""
        return np.asarray(~(np.isnan(self.scores) | np.isnan(self.human)))

    @cached_property
    def cells(self) -> Floats:
        """The number of pairs of each group with both, [groups]."""
        return np.asarray(self.compared.sum(axis=1))

    def only_compared(self, values: Floats) -> Floats:
        """Return values [..., groups, pairs] with NaN in the cells that lack a score or a rating.

        So a baseline uses the same cells.
        """
        return np.where(self.compared, values, np.nan)

    def comparable(self) -> "Tables":
        """Return the tables without the groups that have fewer than two pairs with both."""
        kept = np.flatnonzero(self.cells >= 2)
        return self.of(kept.tolist())

    def of(self, places: Sequence[int]) -> "Tables":
        chosen = list(places)
        return Tables(tuple(self.labels[place] for place in chosen), self.scores[chosen], self.human[chosen])

    def places(self, part: "Tables") -> list[int]:
        """Return the positions in these tables of the groups of `part`."""
        return [self.labels.index(label) for label in part.labels]

    @property
    def n(self) -> int:
        return int(self.cells.sum())


def overall(tables: Tables, resampling: Resampling) -> list[Measure]:
    """Return tau over all cells, its mean within groups, and precision at 3, with intervals; unit: the group."""
    precision = precision_at(K, tables.scores, tables.human)
    return [
        pooled_tau(tables, resampling),
        _of_rows("kendall_tau_mean", kendall_rows(tables.scores, tables.human), tables, resampling),
        *(_of_rows(f"precision_at_3{end}", getattr(precision, part), tables, resampling) for end, part in ENDS.items()),
    ]


def mirrored_tau(tables: Tables, resampling: Resampling) -> Measure:
    """Return tau over all poles: each pair enters in both directions, so that its direction does not matter."""
    both = Tables(tables.labels, mirrored(tables.scores, 0.0), mirrored(tables.human, 100.0))
    return replace(pooled_tau(both, resampling), variant="mirrored")


def as_independent_cells(tables: Tables) -> Measure:
    """Return tau with the paper's p-value, which treats the cells of a group as independent."""
    tau, p = kendall_tau(tables.scores.ravel(), tables.human.ravel())
    reason = "" if tables.n > 1 else "fewer than two cells"
    cells: dict[str, Any] = {"unit": "cell", "n": tables.n, "n_units": tables.n, "reason": reason}
    return Measure("kendall_tau", value=defined(tau), p_value=defined(p), variant="independent_cells", **cells)


def by_group(tables: Tables, resampling: Resampling) -> list[Measure]:
    """Return tau and precision at 3 of each group (Tables A11 to A13); unit: the pair of opposites."""
    precision = precision_at(K, tables.scores, tables.human)
    return [
        *group_taus(tables, resampling),
        *(
            _plain(f"precision_at_3{suffix}", float(getattr(precision, part)[row]), label, int(tables.cells[row]))
            for row, label in enumerate(tables.labels)
            for suffix, part in ENDS.items()
        ),
    ]


def group_taus(tables: Tables, resampling: Resampling) -> list[Measure]:
    """Return tau of each group (Tables A11 and A18); unit: the pair of opposites."""
    return [_group_tau(tables, row, resampling) for row in range(len(tables.labels))]


def of_groups(tables: Tables, groups: int) -> dict[str, Any]:
    """Return the unit and the counts of a measure over groups."""
    return {"unit": "group", "n": tables.n, "n_units": groups}


def pooled_tau(tables: Tables, resampling: Resampling) -> Measure:
    """Return tau over all cells, with its interval over resampled groups."""
    value, _ = kendall_tau(tables.scores.ravel(), tables.human.ravel())
    weights = times_drawn(len(tables.labels), resampling.resamples, resampling.seed)
    resampled = resampled_taus(tables.scores, tables.human, weights)
    return _of_draws("kendall_tau", value, resampled, tables, resampling)


def _of_rows(statistic: str, every: Floats, tables: Tables, resampling: Resampling) -> Measure:
    """Return the mean of a figure of each group's scores and ratings, [groups], with its interval."""
    counted = np.flatnonzero(~np.isnan(every))
    kept, own = tables.of(counted.tolist()), every[counted]
    resampled = np.empty(0)
    if counted.size >= 2:
        resampled = own @ times_drawn(counted.size, resampling.resamples, resampling.seed) / counted.size
    found = _of_draws(statistic, float(mean_of_known(own, axis=0)), resampled, kept, resampling)
    return _of_rate(found, own, resampling) if statistic.startswith("precision") else found


def _of_rate(found: Measure, shares: Floats, resampling: Resampling) -> Measure:
    """Return the measure with the interval of a mean of shares, which has a width even if all groups agree."""
    if len(shares) < 2:
        return found
    low, high = rate_interval(
        blocks(shares[None]), seed=resampling.seed, resamples=resampling.resamples, level=resampling.level
    )
    return replace(found, ci_low=defined(low[0]), ci_high=defined(high[0]), reason="")


def _of_draws(statistic: str, value: float, resampled: Floats, tables: Tables, resampling: Resampling) -> Measure:
    groups = len(tables.labels)
    if np.isnan(value):
        reason = TOO_FEW if statistic.startswith("precision") else TIED
        return Measure(statistic, value=None, **(of_groups(tables, groups) | {"reason": reason}))
    low, high = resampling.interval(resampled, groups) if resampled.size else (float("nan"), float("nan"))
    limits: dict[str, Any] = {"ci_low": defined(low), "ci_high": defined(high)}
    reason = "one group: no interval" if groups < 2 else ALIKE * bool(np.isnan(low))
    return Measure(statistic, value=value, **limits, **(of_groups(tables, groups) | {"reason": reason}))


def _group_tau(tables: Tables, row: int, resampling: Resampling) -> Measure:
    known = ~(np.isnan(tables.scores[row]) | np.isnan(tables.human[row]))
    scores, human = tables.scores[row, known], tables.human[row, known]
    tau, _ = kendall_tau(scores, human)
    weights = times_drawn(len(scores), resampling.resamples, resampling.seed)
    # The pairs of this group are the rows that are resampled.
    low, high = resampling.interval(resampled_taus(scores[:, None], human[:, None], weights), len(scores))
    found = _plain("kendall_tau", tau, tables.labels[row], len(scores))
    reason = found.reason or ALIKE * bool(len(scores) > 1 and np.isnan(low))
    return replace(found, ci_low=defined(low), ci_high=defined(high), reason=reason)


def _plain(statistic: str, value: float, label: str, pairs: int) -> Measure:
    missing = TOO_FEW if statistic.startswith("precision") else TIED
    given = defined(value)
    if given is None:
        reason = missing
    else:
        reason = "a share of six places: no interval" if statistic.startswith("precision") else ""
    return Measure(statistic, "pair", pairs, pairs, given, group_a=label, reason=reason)
