"""Affine maps of a state vector, and orthogonal projections, float64."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.linalg

Array = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]


@dataclass(frozen=True)
class AffineMap:
    """x -> matrix @ x + offset."""

    matrix: Array
    """[H, H]"""
    offset: Array
    """[H]"""

    def __call__(self, states: npt.NDArray[np.floating]) -> Array:
        """Return the mapped states, [n, H] -> [n, H]."""
        return states @ self.matrix.T + self.offset


def nullspace_map(directions: Array) -> AffineMap:
    """Return the orthogonal projection I - R, R that onto the span of the directions, [k, H]."""
    size = directions.shape[1]
    return AffineMap(np.eye(size) - row_space(directions), np.zeros(size))


def row_space(directions: Array) -> Array:
    """Return the orthogonal projection onto the span of the directions, [k, H] -> [H, H]. Zero rows span nothing."""
    if not np.any(directions):
        return np.zeros((directions.shape[1],) * 2)
    basis = scipy.linalg.orth(directions.T)
    return np.asarray(basis @ basis.T, dtype=np.float64)
