"""INLP: classifiers of the group, one after the other. What one reads is projected away before the next one.

Source: Ravfogel et al. 2020, Null It Out: Guarding Protected Attributes by Iterative Nullspace Projection; as Bias
Bench (Meade et al. 2022) runs it: linear support vector machines without intercept, 80 of them.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import scipy.linalg
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from workers.debiasing.linear_svm import Gram, separating_directions
from workers.debiasing.maps import AffineMap, Array, Labels

CLASSIFIERS = 80
QUICKER_FROM = 500_000
"""From this many numbers on, our own solver is the faster one. Below, a fit takes tenths of a second."""
Progress = Callable[[int], None]
Fit = Callable[[Array], Array]
"""Maps the projection so far, [H, H], to the weights of the next classifiers, [k, H]."""


def inlp(
    states: npt.NDArray[np.floating],
    labels: Labels,
    classifiers: int = CLASSIFIERS,
    progress: Progress = lambda done: None,
    *,
    logistic: bool = False,
) -> AffineMap:
    """Return P = I - R, R the projection onto what all classifiers read together.

    `states` [n, H], `labels` their classes. With two classes a classifier removes one direction, with k > 2 it
    removes k. `logistic`: logistic regressions replace the support vector machines. `progress` is called with 1 after
    each classifier.
    """
    rows = np.ascontiguousarray(states, dtype=np.float64)
    fit = _fit(rows, labels, logistic)
    basis, projection = np.zeros((rows.shape[1], 0)), np.eye(rows.shape[1])
    for _ in range(classifiers):
        basis = np.hstack([basis, _new_directions(fit(projection), basis)])
        projection = np.eye(len(basis)) - basis @ basis.T
        progress(1)
    return AffineMap(projection, np.zeros(len(basis)))


def _new_directions(weights: Array, basis: Array) -> Array:
    """Return an orthonormal basis of the part of the weights [k, H] outside the basis [H, r]: [H, up to k]."""
    added = weights.T
    for _ in range(2):  # A second time, for rounding errors.
        added = added - basis @ (basis.T @ added)
    # Directions that are only rounding errors do not count: nothing is left to read.
    if np.abs(added).max(initial=0.0) <= 1e-12:
        return added[:, :0]
    return np.asarray(scipy.linalg.orth(added), dtype=np.float64)


def _fit(rows: Array, labels: Labels, logistic: bool) -> Fit:
    if logistic:
        return lambda projection: _weights(
            LogisticRegression(fit_intercept=False, max_iter=1000), rows, labels, projection
        )
    if rows.size < QUICKER_FROM:
        svm = LinearSVC(fit_intercept=False, dual=False, random_state=0)
        return lambda projection: _weights(svm, rows, labels, projection)
    gram = Gram(rows)
    return lambda projection: separating_directions(gram, labels, projection)


def _weights(classifier: LinearSVC | LogisticRegression, rows: Array, labels: Labels, projection: Array) -> Array:
    return np.asarray(classifier.fit(rows @ projection.T, labels).coef_, dtype=np.float64)
