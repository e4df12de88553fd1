"""LEACE: the least change of a state after which no linear classifier does better than a constant.

Source: Belrose et al. 2023, LEACE: Perfect linear concept erasure in closed form, theorem 4.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workers.debiasing.maps import AffineMap, Array

TOLERANCE = 1e-10
"""Eigenvalues and singular values below this share of the largest count as zero."""


@dataclass
class Moments:
    """Count, means and sums of products of states and labels, updated batch by batch, float64."""

    mean_x: Array
    mean_z: Array
    xx: Array
    """The sum of products of states minus their mean, [H, H]."""
    xz: Array
    """The same sum for states with labels, [H, K]."""
    count: int = 0

    @classmethod
    def empty(cls, size: int, classes: int) -> "Moments":
        """Return the moments of no states yet, for states of `size` numbers and labels below `classes`."""
        return cls(np.zeros(size), np.zeros(classes), np.zeros((size, size)), np.zeros((size, classes)))

    def add(self, states: npt.NDArray[np.floating], labels: Sequence[int] | npt.NDArray[np.int64]) -> None:
        """Add states [n, H] and the class of each, counted from 0. The batches' sizes change only rounding."""
        x, z = np.asarray(states, dtype=np.float64), np.eye(len(self.mean_z))[np.asarray(labels)]
        step_x, step_z = x.mean(0) - self.mean_x, z.mean(0) - self.mean_z
        total, share = self.count + len(x), len(x) / (self.count + len(x))
        own = x - x.mean(0)
        self.xx += own.T @ own + np.outer(step_x, step_x) * self.count * share
        self.xz += own.T @ (z - z.mean(0)) + np.outer(step_x, step_z) * self.count * share
        self.mean_x += step_x * share
        self.mean_z += step_z * share
        self.count = total


def leace(moments: Moments) -> AffineMap:
    """Return r(x) = x - W^+ P W (x - mean), W the whitening by the states' covariance, P onto the span of W cov(x, z).

    If the covariance is singular, W is its pseudo-inverse, and directions that no state has do not change.
    """
    whiten, unwhiten = _whitening(moments.xx / moments.count)
    left, sizes, _ = np.linalg.svd(whiten @ (moments.xz / moments.count), full_matrices=False)
    basis = left[:, sizes > TOLERANCE * max(1.0, sizes.max(initial=0.0))]
    removed = unwhiten @ basis @ basis.T @ whiten
    return AffineMap(np.eye(len(removed)) - removed, removed @ moments.mean_x)


def _whitening(covariance: Array) -> tuple[Array, Array]:
    """Return the pseudo-inverse of the covariance's square root, and that square root; each [H, H], symmetric."""
    values, vectors = np.linalg.eigh(covariance)
    kept = values > TOLERANCE * values[-1]
    roots = np.sqrt(values[kept])
    vectors = vectors[:, kept]
    return (vectors / roots) @ vectors.T, (vectors * roots) @ vectors.T
