"""The accuracy of a new linear classifier on held-out states, and the share of the largest class."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression

from workers.debiasing.maps import Labels


@dataclass(frozen=True)
class Readable:
    """How well a classifier predicts the classes of held-out states."""

    accuracy: float
    majority: float
    """The accuracy of always predicting the largest class of the training part."""
    n: int
    """States held out."""


def readable(
    states: npt.NDArray[np.floating], labels: Labels, others: npt.NDArray[np.floating], of_others: Labels
) -> Readable:
    """Fit a logistic regression to states [n, H] and classes, and test it on others [m, H]. ValueError: one class.

    One factor scales all numbers. Scaling each by itself would enlarge directions that hold only rounding errors.
    """
    mean, spread = states.mean(0), states.std(0).mean() or 1.0
    fitted = LogisticRegression(max_iter=1000).fit((states - mean) / spread, labels)
    largest = np.bincount(labels).argmax()
    accuracy = float(fitted.score((others - mean) / spread, of_others))
    return Readable(accuracy, float((of_others == largest).mean()), len(of_others))
