"""INLP: classifiers of the group, one after the other, and what each reads is projected away before the next.

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
"""Numbers in the states from which on our own solver is the quicker one; below, a fit takes tenths of a second."""
Progress = Callable[[int], None]
Fit = Callable[[Array], Array]
"""From the projection so far, [H, H], to the weights of the next classifiers, [k, H]."""


def inlp(
    states: npt.NDArray[np.floating],
    labels: Labels,
    classifiers: int = CLASSIFIERS,
    progress: Progress = lambda done: None,
    *,
    logistic: bool = False,
) -> AffineMap:
    """Return P = I - R, R the projection onto what all classifiers read together.

    `states` [n, H], `labels` their classes: of two each classifier takes one direction, of k > 2 it takes k.
    `logistic`: logistic regressions take the place of the support vector machines. `progress` is called with 1 after
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
    """Return an orthonormal basis of what the weights [k, H] add to the basis [H, r]: [H, up to k]."""
    added = weights.T
    for _ in range(2):  # once more for what rounding has left
        added = added - basis @ (basis.T @ added)
    # Directions that are nothing but rounding are none: all that can be read is gone.
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
