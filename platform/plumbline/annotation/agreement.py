"""The chance-corrected agreement of people who answered the same items. These functions are pure."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

Answers = npt.NDArray[np.int64]


def fleiss(answers: Answers, categories: int) -> float | None:
    """Return Fleiss' kappa of answers [annotators, items], each 0 to categories - 1, or None if all are the same.

    1 is full agreement, 0 is chance. Source: Fleiss 1971, "Measuring nominal scale agreement among many raters",
    Psychological Bulletin 76.
    """
    # Imported here because it would slow down the start of every command.
    from statsmodels.stats.inter_rater import fleiss_kappa

    if len(answers) < 2 or np.unique(answers).size < 2:
        return None
    table = np.stack([(answers == one).sum(axis=0) for one in range(categories)], axis=1)
    return float(fleiss_kappa(table))


def weighted_kappa(answers: Answers, categories: int) -> float | None:
    """Return Cohen's kappa with quadratic weights, the mean over all pairs of annotators, for answers as in `fleiss`.

    Two steps on the scale count four times as much as one. None if no pair has a kappa, as when a person always gives
    the same answer. Source: Cohen 1968, "Weighted kappa", Psychological Bulletin 70. For the mean: Light 1971,
    "Measures of response agreement for qualitative data", Psychological Bulletin 76.
    """
    found = [_of_two(one, other, categories) for one, other in combinations(answers, 2)]
    known = [one for one in found if one is not None]
    return float(np.mean(known)) if known else None


def _of_two(one: Answers, other: Answers, categories: int) -> float | None:
    from statsmodels.stats.inter_rater import cohens_kappa

    table = np.zeros((categories, categories), dtype=np.int64)
    np.add.at(table, (one, other), 1)
    if np.count_nonzero(table.sum(axis=0)) < 2 and np.count_nonzero(table.sum(axis=1)) < 2:
        return None
    return float(cohens_kappa(table, wt="quadratic", return_results=False))


def alpha(answers: Answers) -> float | None:
    """Return Krippendorff's alpha of nominal answers [annotators, items], or None if all are the same.

    Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
    """
    from krippendorff import alpha as of_ratings

    if len(answers) < 2 or np.unique(answers).size < 2:
        return None
    return float(of_ratings(reliability_data=answers, level_of_measurement="nominal"))


def exact_share(answers: Answers) -> float | None:
    """Return the share of items with equal answers, the mean over all pairs of annotators.

    None below two annotators.
    """
    pairs: Sequence[tuple[Answers, Answers]] = list(combinations(answers, 2))
    return float(np.mean([(one == other).mean() for one, other in pairs])) if pairs and answers.size else None
