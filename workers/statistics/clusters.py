"""Agreement of clusters of vectors with two groups, and a t-SNE map of the vectors."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats
from sklearn.cluster import KMeans
from sklearn.manifold import TSNE

from workers.statistics.threads import one_thread
from workers.statistics.units import Floats

SEEDS = 11
"""An odd number, so that the median is the accuracy of one of the runs."""
PERPLEXITY = 30.0


@dataclass(frozen=True)
class ClusterAccuracy:
    """Median, lowest and highest accuracy over seeds, with the expectation and the p-value under chance."""

    value: float
    lowest: float
    highest: float
    single_lowest: float
    single_highest: float
    chance: float
    chance_95: float
    p_value: float
    least_p: float
    """The smallest p that is possible with groups and clusters of these sizes."""
    equivalence_p: float
    """The p of the two one-sided tests that the accuracy differs from chance by less than the margin."""


def cluster_accuracy(
    x: Floats, y: Floats, *, seed: int, restarts: int = 10, margin: float = np.nan
) -> ClusterAccuracy | None:
    """Cluster the vectors x [n, features] and y [m, features] by two-means and return the accuracy max(a, 1 - a).

    Each of SEEDS runs keeps the tightest of `restarts` clusterings; the fields `single_` describe single restarts.
    Permuted labels follow the hypergeometric law while the clusters stay fixed, so p and chance are exact: p is the
    probability of at least this accuracy. Returns None if all vectors are equal.
    Source: An et al. 2023, section 4.1 and Table 2. The spread, the p-value and chance are ours.
    """
    vectors = np.concatenate([x, y])
    if not vectors.shape[1] or (vectors == vectors[0]).all():
        return None
    states = np.random.SeedSequence(seed, spawn_key=(9,)).generate_state(SEEDS * restarts)
    # With so few vectors, several threads would only wait for one another.
    with one_thread():
        found = [_clustered(vectors, int(state)) for state in states]
    best = [min(found[first : first + restarts], key=lambda one: one[0])[1] for first in range(0, len(found), restarts)]
    single = [_accuracy(inside, len(x)) for _, inside in found]
    ordered = sorted(best, key=lambda inside: _accuracy(inside, len(x)))
    chosen = ordered[SEEDS // 2]
    accuracies, chances = chance_law(len(x), len(y), int(chosen.sum()))
    value = _accuracy(chosen, len(x))
    return ClusterAccuracy(
        value=value,
        lowest=_accuracy(ordered[0], len(x)),
        highest=_accuracy(ordered[-1], len(x)),
        single_lowest=min(single),
        single_highest=max(single),
        chance=float(accuracies @ chances),
        chance_95=float(accuracies[np.searchsorted(np.cumsum(chances), 0.95)]),
        p_value=min(1.0, float(chances[accuracies >= value - 1e-12].sum())),
        least_p=float(chances[-1]),
        equivalence_p=_equivalence_p(value, float(accuracies @ chances), len(vectors), margin),
    )


def _equivalence_p(accuracy: float, chance: float, names: int, margin: float) -> float:
    """Return the p of Student's t test with names - 1 degrees of freedom and the standard error of a share."""
    error = np.sqrt(accuracy * (1 - accuracy) / names)
    return float(stats.t.sf((margin - abs(accuracy - chance)) / error, names - 1)) if error else 1.0


def _clustered(vectors: Floats, state: int) -> tuple[float, npt.NDArray[np.bool_]]:
    """Return the inertia of one start, and which vectors are in its second cluster, [n]."""
    fitted = KMeans(n_clusters=2, n_init=1, random_state=state).fit(vectors)
    return float(fitted.inertia_), np.asarray(fitted.labels_ == 1)


def _accuracy(inside: npt.NDArray[np.bool_], size: int) -> float:
    right = (np.count_nonzero(inside[:size]) + np.count_nonzero(~inside[size:])) / len(inside)
    return float(max(right, 1 - right))


def chance_law(n: int, m: int, inside: int) -> tuple[Floats, Floats]:
    """Return the possible accuracies, ascending, and their probabilities under random labels, [accuracies] each.

    The labels have n and m members; one cluster has `inside` members.
    """
    hits = np.arange(max(0, inside - m), min(n, inside) + 1)
    right = (hits + m - (inside - hits)) / (n + m)
    accuracies, place = np.unique(np.round(np.maximum(right, 1 - right), 12), return_inverse=True)
    chances = np.bincount(place, weights=stats.hypergeom.pmf(hits, n + m, n, inside))
    return np.asarray(accuracies, dtype=np.float64), chances.astype(np.float64)


def project(vectors: Floats, seed: int) -> Floats | None:
    """Map the vectors [n, features] to two dimensions by t-SNE, [n, 2]; None below four vectors or if all are equal.

    The perplexity is 30, or a third of the number of other vectors below 90 of these. The start is by principal
    components.
    Source: Van der Maaten and Hinton 2008; scikit-learn.
    """
    if len(vectors) < 4 or not vectors.shape[1] or (vectors == vectors[0]).all():
        return None
    perplexity = min(PERPLEXITY, (len(vectors) - 1) / 3)
    start = "pca" if vectors.shape[1] > 1 else "random"
    # See above. With several threads, sums would also depend on their order.
    with one_thread():
        found = TSNE(2, perplexity=perplexity, init=start, random_state=seed, n_jobs=1).fit_transform(vectors)
    return np.asarray(found, dtype=np.float64)
