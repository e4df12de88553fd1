"""What a linear classifier tells from features, over many random splits."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from workers.statistics.threads import one_thread
from workers.statistics.units import Floats, Positions

MOST_ROUNDS = 1000


@dataclass(frozen=True)
class Split:
    """Which rows it trained on and which it tested, and the log probabilities of the labels for all, [n, labels]."""

    train: Positions
    test: Positions
    log_p: Floats


def classified(
    features: Floats,
    labels: npt.NDArray[np.int64],
    *,
    seed: int,
    splits: int,
    test_share: float,
    strength: float = 1.0,
) -> Iterator[Split]:
    """Logistic regression of the labels 0 .. K - 1 [n] on features [n, d], standardised on the rows trained on.

    The splits depend on the labels and the seed alone, so answers from other features are paired with these; each part
    keeps the shares of the labels. Raises ValueError where a label is too rare for that. Source: An et al. 2023,
    section 2 (one split); the repetition and the standardisation are ours.
    """
    for train, test in StratifiedShuffleSplit(splits, test_size=test_share, random_state=seed).split(features, labels):
        model = make_pipeline(StandardScaler(), LogisticRegression(C=strength, max_iter=MOST_ROUNDS))
        # Several threads would sum in another order. So many rounds end the fit, converged or not.
        with one_thread(), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(features[train], labels[train])
            log_p = np.asarray(model.predict_log_proba(features))
        yield Split(train, test, log_p)
