"""Classification of members by a linear classifier over many random splits."""

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
    """The training and test rows of one split, and the log probabilities of the labels for all rows, [n, labels]."""

    train: Positions
    test: Positions
    log_p: Floats


def classify_splits(
    features: Floats,
    labels: npt.NDArray[np.int64],
    *,
    seed: int,
    splits: int,
    test_share: float,
    strength: float = 1.0,
) -> Iterator[Split]:
    """Yield a logistic regression of the labels 0 .. K - 1 [n] on the features [n, d] for each random split.

    The features are standardised on the training rows. The splits depend only on the labels and the seed, so results
    from other features are paired. Both parts keep the shares of the labels. Raises ValueError if a label is too
    rare for that.
    Source: An et al. 2023, section 2 (one split). The repetition and the standardisation are ours.
    """
    for train, test in StratifiedShuffleSplit(splits, test_size=test_share, random_state=seed).split(features, labels):
        model = make_pipeline(StandardScaler(), LogisticRegression(C=strength, max_iter=MOST_ROUNDS))
        # With several threads, sums would depend on their order. The fit ends after MOST_ROUNDS, converged or not.
        with one_thread(), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(features[train], labels[train])
            log_p = np.asarray(model.predict_log_proba(features))
        yield Split(train, test, log_p)
