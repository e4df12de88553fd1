"""Kendall's tau-b of many short lists at once.

A loop over scipy takes minutes for what these products do in a second.
"""

import numpy as np

from workers.statistics.units import Floats


def kendall_matrix(left: Floats, right: Floats) -> Floats:
    """Return tau-b of each row of left [n, items] with each row of right [m, items]: [n, m].

    tau_b = (concordant - discordant) / sqrt(untied in left * untied in right), over the pairs of items that both rows
    know. NaN marks an unknown item. The result is NaN if a row is constant over the common items, or if there are
    fewer than two of them. Raises ValueError if the numbers of items differ.
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
    """Return tau-b of each row of left [n, items] with the same row of right [n, items]: [n]. See `kendall_matrix`."""
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
    """Compare the item with each later one: signs -1, 0 or 1, and which are known (1 or 0), both [n, later items]."""
    # The sign of the difference would be wrong for two infinities and for differences that underflow.
    here, later = values[:, item, None], values[:, item + 1 :]
    signs = (here > later).astype(np.float64) - (here < later)
    return signs, (~(np.isnan(here) | np.isnan(later))).astype(np.float64)


def _tau(agreement: Floats, untied_left: Floats, untied_right: Floats) -> Floats:
    scale = np.sqrt(untied_left * untied_right)
    tau: Floats = np.full(agreement.shape, np.nan)
    np.divide(agreement, scale, out=tau, where=scale > 0)
    return tau
