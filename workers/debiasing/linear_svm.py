"""Linear support vector machines on one set of states: the results of scikit-learn's LinearSVC, faster.

The primal solver of LIBLINEAR, a Newton method in a trust region (Lin and More 1999; Fan et al. 2008), for the squared
hinge loss without intercept, with the steps of its file tron.cpp, so both stop at the same place. It is faster because
all its products use the matrix X'X of the rows inside the margin, which changes by few rows between two steps. Also,
rows need no new projection: a weight in the range of a projection sees the projected rows.
"""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
import numpy.typing as npt

from workers.debiasing.maps import Array, Labels

TOLERANCE = 1e-4
MOST_STEPS = 1000
Rows = npt.NDArray[np.bool_]


class Gram:
    """X'X of any set of the rows, computed from the nearest known set."""

    def __init__(self, rows: Array) -> None:
        self.rows = rows
        everything = np.ones(len(rows), dtype=np.bool_)
        self._known = [(everything, rows.T @ rows)] * 2  # all rows, and the last set

    def of(self, chosen: Rows) -> Array:
        """Return X'X of the chosen rows, [H, H]."""
        base, product = min(self._known, key=lambda one: int((one[0] != chosen).sum()))
        come, gone = self.rows[chosen & ~base], self.rows[base & ~chosen]
        found: Array = product + come.T @ come - gone.T @ gone
        self._known[1] = (chosen, found)
        return found


def separating_directions(gram: Gram, labels: Labels, projection: Array) -> Array:
    """Return the classifiers' weights for the projected rows: [1, H] for two classes, otherwise [classes, H]."""
    classes = np.unique(labels)
    positive = classes[1:] if len(classes) == 2 else classes
    return np.stack([_Problem.of(gram, labels == one, projection).solution() for one in positive])


@dataclass
class _Problem:
    """One class against the rest."""

    gram: Gram
    signs: Array
    projection: Array
    tolerance: float

    @classmethod
    def of(cls, gram: Gram, positive: Rows, projection: Array) -> "_Problem":
        fewest = max(min(int(positive.sum()), int((~positive).sum())), 1)
        return cls(gram, np.where(positive, 1.0, -1.0), projection, TOLERANCE * fewest / len(positive))

    def solution(self) -> Array:
        """Minimise |w|^2 / 2 + sum max(0, 1 - y w'x)^2; return w, [H]."""
        weight = np.zeros(self.gram.rows.shape[1])
        value, slack = self._value(weight)
        gradient, inside = self._gradient(weight, slack)
        first = radius = float(np.linalg.norm(gradient))
        steps = 0
        while steps < MOST_STEPS and np.linalg.norm(gradient) > self.tolerance * first:
            step, residual = self._step(gradient, inside, radius)
            along = float(gradient @ step)
            predicted = -0.5 * (along - float(step @ residual))
            new_value, new_slack = self._value(weight + step)
            reduced, length = value - new_value, float(np.linalg.norm(step))
            radius = _new_radius(min(radius, length) if steps == 0 else radius, length, along, reduced, predicted)
            if reduced > 1e-4 * predicted:
                weight, value, slack, steps = weight + step, new_value, new_slack, steps + 1
                gradient, inside = self._gradient(weight, slack)
            if max(abs(reduced), abs(predicted)) <= 1e-12 * abs(value):
                break
        return weight

    def _value(self, weight: Array) -> tuple[float, Array]:
        slack = 1 - self.signs * (self.gram.rows @ weight)
        return float(weight @ weight / 2 + (np.maximum(slack, 0) ** 2).sum()), slack

    def _gradient(self, weight: Array, slack: Array) -> tuple[Array, Array]:
        """Return the gradient, and X'X of the rows inside the margin."""
        inside = slack > 0
        pull = self.gram.rows.T @ np.where(inside, self.signs * slack, 0.0)
        return weight - 2 * (self.projection @ pull), self.gram.of(inside)

    def _step(self, gradient: Array, inside: Array, radius: float) -> tuple[Array, Array]:
        """Return the step that conjugate gradients find within the radius, and the remaining gradient."""
        step, residual = np.zeros_like(gradient), -gradient
        direction, size = residual, float(residual @ residual)
        enough = 0.1 * sqrt(size)
        while sqrt(size) > enough:
            curved = direction + 2 * (self.projection @ (inside @ direction))
            share = size / float(direction @ curved)
            at_edge = float(np.linalg.norm(step + share * direction)) > radius
            share = _to_edge(step, direction, radius) if at_edge else share
            step, residual = step + share * direction, residual - share * curved
            if at_edge:
                break
            size, before = float(residual @ residual), size
            direction = residual + size / before * direction
        return step, residual


def _to_edge(step: Array, direction: Array, radius: float) -> float:
    """Return the distance along the direction to the edge of the trust region."""
    along, length, rest = float(step @ direction), float(direction @ direction), radius**2 - float(step @ step)
    root = sqrt(along**2 + length * rest)
    return rest / (along + root) if along >= 0 else (root - along) / length


def _new_radius(radius: float, length: float, along: float, reduced: float, predicted: float) -> float:
    """Return the radius of the next step, from how well this one was predicted."""
    curvature = -reduced - along
    factor = 4.0 if curvature <= 0 else max(0.25, -0.5 * along / curvature)
    reach = factor * length
    if reduced < 1e-4 * predicted:
        return min(reach, 0.5 * radius)
    for share, least, most in ((0.25, 0.25, 0.5), (0.75, 0.25, 4.0), (inf, 1.0, 4.0)):
        if reduced < share * predicted:
            return max(least * radius, min(reach, most * radius))
    return radius
