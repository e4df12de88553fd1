"""Kendall's tau-b of many short lists at once: scipy's loop takes minutes for what these products do in a second."""

import numpy as np

from workers.statistics.units import Floats


def kendall_matrix(left: Floats, right: Floats) -> Floats:
    """Tau-b of each row of left [n, items] with each row of right [m, items]: [n, m].

    tau_b = (concordant - discordant) / sqrt(untied in the one * untied in the other), over the pairs of items that
    both rows know (NaN is unknown). NaN where all that both know is tied in one of them, or is less than two items.

    Source: Kendall 1945, "The Treatment of Ties in Ranking Problems", Biometrika 33.
    """
    _check(left, right)
    agreement, untied_left, untied_right = np.zeros((3, len(left), len(right)))
    for item in range(left.shape[1] - 1):
        signs_left, known_left = _compared(left, item)
        signs_right, known_right = _compared(right, item)
        agreement += signs_left @ signs_right.T
        untied_left += np.abs(signs_left) @ known_right.T
        untied_right += known_left @ np.abs(signs_right).T
    return _tau(agreement, untied_left, untied_right)


def kendall_rows(left: Floats, right: Floats) -> Floats:
    """Tau-b of each row of left [n, items] with the same row of right [n, items]: [n]. As `kendall_matrix`."""
    _check(left, right)
    agreement, untied_left, untied_right = np.zeros((3, len(left)))
    for item in range(left.shape[1] - 1):
        signs_left, known_left = _compared(left, item)
        signs_right, known_right = _compared(right, item)
        agreement += (signs_left * signs_right).sum(axis=1)
        untied_left += (np.abs(signs_left) * known_right).sum(axis=1)
        untied_right += (known_left * np.abs(signs_right)).sum(axis=1)
    return _tau(agreement, untied_left, untied_right)


def _check(left: Floats, right: Floats) -> None:
    if left.shape[1] != right.shape[1]:
        raise ValueError(f"{left.shape[1]} items against {right.shape[1]}: both sides must rank the same items.")


def _compared(values: Floats, item: int) -> tuple[Floats, Floats]:
    """How the item stands to each later one, -1, 0 or 1, and which of these comparisons are known: [n, later items]."""
    # Not the sign of the difference: infinities are equal, and tiny differences are none.
    here, later = values[:, item, None], values[:, item + 1 :]
    signs = (here > later).astype(np.float64) - (here < later)
    return signs, (~(np.isnan(here) | np.isnan(later))).astype(np.float64)


def _tau(agreement: Floats, untied_left: Floats, untied_right: Floats) -> Floats:
    scale = np.sqrt(untied_left * untied_right)
    tau: Floats = np.full(agreement.shape, np.nan)
    np.divide(agreement, scale, out=tau, where=scale > 0)
    return tau
