"""Rates and scores that are one ratio of counts, as measures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plumbline.spec.measure import Measure
from workers.probes.bbq.summary_cells import Settings
from workers.probes.estimated import defined
from workers.statistics import Blocks, bootstrap_interval, sign_flip
from workers.statistics.units import Floats

NO_ANSWER = "no answer matches an option"


@dataclass(frozen=True)
class Rate:
    """A statistic of some cells: sums by counts, [cells, templates]. `labels` are those of all, `keys` of each cell."""

    labels: dict[str, Any]
    keys: Sequence[dict[str, Any]]
    blocks: Blocks
    n: npt.NDArray[np.int64] | None = None
    """Answers that a cell has, where these are not those that it counts, [cells]."""
    reasons: Sequence[str] | None = None
    """Why a cell is undefined; empty where it is defined, [cells]."""
    nothing: str = NO_ANSWER
    """What to say of a cell that counts nothing, where no other reason is given."""
    tested: bool = False
    """Whether 0 has a meaning: a p-value by sign flips of whole templates."""


def measured(rates: Sequence[Rate], settings: Settings) -> list[Measure]:
    """A measure for each cell of each rate. All are over the same templates, and so drawn and flipped together."""
    reasons = [_reasons(rate) for rate in rates]
    chosen = [
        np.array([not reason for reason in told], dtype=bool) & (rate.blocks.n_units >= settings.fewest)
        for rate, told in zip(rates, reasons, strict=True)
    ]
    numbers = _uncertainties(rates, chosen, settings)
    return [
        one
        for rate, told, own in zip(rates, reasons, numbers, strict=True)
        for one in _measures(rate, told, own, settings)
    ]


def _measures(rate: Rate, reasons: Sequence[str], numbers: Floats, settings: Settings) -> Iterator[Measure]:
    values, n_units = rate.blocks.means.tolist(), rate.blocks.n_units.tolist()
    n = (rate.blocks.n if rate.n is None else rate.n).tolist()
    for row, (key, (low, high, p)) in enumerate(zip(rate.keys, numbers.T.tolist(), strict=True)):
        yield Measure(
            unit="template",
            n=n[row],
            n_units=n_units[row],
            value=None if reasons[row] else defined(values[row]),
            ci_low=defined(low),
            ci_high=defined(high),
            p_value=defined(p),
            reason=reasons[row] or (settings.too_few if n_units[row] < settings.fewest else ""),
            **rate.labels,
            **key,
        )


def _reasons(rate: Rate) -> list[str]:
    told = rate.reasons if rate.reasons is not None else [""] * len(rate.keys)
    return [reason or ("" if n else rate.nothing) for reason, n in zip(told, rate.blocks.n.tolist(), strict=True)]


def _uncertainties(rates: Sequence[Rate], chosen: Sequence[npt.NDArray[np.bool_]], settings: Settings) -> list[Floats]:
    """Of each rate the ends of the interval and p of its chosen cells, [3, cells]; NaN of the others."""
    numbers = [np.full((3, len(one)), np.nan) for one in chosen]
    asked = settings.resampling
    drawn = bootstrap_interval(_joined(rates, chosen), seed=asked.seed, resamples=asked.resamples, level=asked.level)
    _share_out(np.stack(drawn), chosen, [one[:2] for one in numbers])
    tested = [cells & rate.tested for rate, cells in zip(rates, chosen, strict=True)]
    flipped = sign_flip(_joined(rates, tested), seed=asked.seed, draws=asked.permutations)
    _share_out(flipped.p_value[None], tested, [one[2:] for one in numbers])
    return numbers


def _joined(rates: Sequence[Rate], chosen: Sequence[npt.NDArray[np.bool_]]) -> Blocks:
    pairs = [(rate.blocks, cells) for rate, cells in zip(rates, chosen, strict=True)]
    return Blocks(*(np.concatenate([getattr(of, name)[cells] for of, cells in pairs]) for name in ("sums", "counts")))


def _share_out(found: Floats, chosen: Sequence[npt.NDArray[np.bool_]], into: Sequence[Floats]) -> None:
    """Numbers [k, chosen cells of all rates] into the tables [k, cells] of each."""
    start = 0
    for cells, table in zip(chosen, into, strict=True):
        end = start + int(cells.sum())
        table[:, cells] = found[:, start:end]
        start = end
