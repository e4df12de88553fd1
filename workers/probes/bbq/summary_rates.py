"""Rates and scores that are one ratio of counts, as measures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plumbline.spec.measure import Measure
from workers.measures.estimated import defined
from workers.probes.bbq.summary_cells import Settings
from workers.statistics import Blocks
from workers.statistics.rates.bias_scores import score_tests
from workers.statistics.rates.rate_intervals import rate_interval
from workers.statistics.units import Floats

NO_ANSWER = "no answer matches an option"
NUMBERS = ("ci_low", "ci_high", "p_value", "least_p", "equivalence_p")


@dataclass(frozen=True)
class Rate:
    """A statistic of some cells: sums by counts, [cells, templates]. `labels` are those of all, `keys` of each cell."""

    labels: dict[str, Any]
    keys: Sequence[dict[str, Any]]
    blocks: Blocks
    n: npt.NDArray[np.int64] | None = None
    """The number of answers of a cell, if it is not the number that it counts, [cells]."""
    reasons: Sequence[str] | None = None
    """The reason why a cell is undefined; empty if it is defined, [cells]."""
    nothing: str = NO_ANSWER
    """The reason of a cell that counts nothing, if no other one is given."""
    tested: bool = False
    """Whether it is a score whose sign has a meaning: then it has p-values."""


def measured(rates: Sequence[Rate], settings: Settings) -> list[Measure]:
    """Return a measure for each cell of each rate."""
    return [one for rate in rates for one in _measures(rate, settings)]


def _measures(rate: Rate, settings: Settings) -> Iterator[Measure]:
    reasons = _reasons(rate)
    numbers = _uncertainties(rate, np.array([not reason for reason in reasons], dtype=bool), settings)
    values, n_units = rate.blocks.means.tolist(), rate.blocks.n_units.tolist()
    n = (rate.blocks.n if rate.n is None else rate.n).tolist()
    for row, (key, own) in enumerate(zip(rate.keys, numbers.T.tolist(), strict=True)):
        numbers_of_cell: dict[str, Any] = dict(zip(NUMBERS, map(defined, own), strict=True))
        yield Measure(
            unit="template",
            n=n[row],
            n_units=n_units[row],
            value=None if reasons[row] else defined(values[row]),
            reason=reasons[row] or (settings.too_few if n_units[row] < settings.fewest else ""),
            **numbers_of_cell,
            **rate.labels,
            **key,
        )


def _reasons(rate: Rate) -> list[str]:
    told = rate.reasons if rate.reasons is not None else [""] * len(rate.keys)
    return [reason or ("" if n else rate.nothing) for reason, n in zip(told, rate.blocks.n.tolist(), strict=True)]


def _uncertainties(rate: Rate, defined_cells: npt.NDArray[np.bool_], settings: Settings) -> Floats:
    """Return NUMBERS of each cell, [5, cells]; NaN for undefined ones and for too few templates."""
    numbers = np.full((len(NUMBERS), len(defined_cells)), np.nan)
    chosen = np.flatnonzero(defined_cells & (rate.blocks.n_units >= settings.fewest))
    blocks, asked = Blocks(rate.blocks.sums[chosen], rate.blocks.counts[chosen]), settings.resampling
    if rate.tested:
        found = score_tests(blocks, settings.margin(rate.labels["statistic"]), asked)
        numbers[:, chosen] = [getattr(found, name) for name in NUMBERS]
    else:
        numbers[:2, chosen] = rate_interval(blocks, seed=asked.seed, resamples=asked.resamples, level=asked.level)
    return numbers
