"""Conversion of estimates (arrays, NaN for undefined) to the numbers of a measure (None for undefined)."""

from typing import Any

import numpy as np

from workers.statistics import Estimates

NUMBERS = ("value", "ci_low", "ci_high", "p_value", "familywise_p_value", "equivalence_p", "least_p")


def defined(number: float) -> float | None:
    return None if np.isnan(number) else float(number)


def numbers_of(estimates: Estimates, row: int) -> dict[str, Any]:
    """Return the numbers of one cell and the counts behind them, keyed by the fields of a measure."""
    numbers: dict[str, Any] = {name: defined(getattr(estimates, name)[row]) for name in NUMBERS}
    return {
        **numbers,
        "n": int(estimates.n[row]),
        "n_units": int(estimates.n_units[row]),
        "n_frames": int(estimates.n_frames[row]),
        "reason": estimates.reason[row],
    }
