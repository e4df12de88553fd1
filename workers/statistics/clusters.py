"""Do clusters of vectors fall together with two groups? And a map of the vectors."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats
from sklearn.cluster import KMeans
from sklearn.manifold import TSNE

from workers.statistics.threads import one_thread
from workers.statistics.units import Floats

SEEDS = 11
"""Odd, so that the median is what one of them found."""
PERPLEXITY = 30.0


@dataclass(frozen=True)
class ClusterAccuracy:
    """Median, least and greatest accuracy over seeds; what chance gives, and how often it gives the median or more."""

    value: float
    lowest: float
    highest: float
    single_lowest: float
    single_highest: float
    chance: float
    chance_95: float
    p_value: float
    least_p: float
    """The smallest p that labels of these sizes can give these clusters."""
    equivalence_p: float
    """Of the two one-sided tests that the accuracy differs from chance by less than a margin."""


def cluster_accuracy(
    x: Floats, y: Floats, *, seed: int, restarts: int = 10, margin: float = np.nan
) -> ClusterAccuracy | None:
    """Two-means clustering of the vectors x [n, words] and y [m, words]; accuracy max(a, 1 - a).

    Each of SEEDS runs keeps the tightest clustering of `restarts`; `single_` is of each restart alone. With the
    clusters held fixed, permuted labels meet them by the hypergeometric law, so p and chance are exact: p is the chance
    of at least this accuracy. None where all vectors are alike. Source: An et al. 2023, section 4.1 and Table 2; the
    spread, the p-value and chance are ours.
    """
    vectors = np.concatenate([x, y])
    if not vectors.shape[1] or (vectors == vectors[0]).all():
        return None
    states = np.random.SeedSequence(seed, spawn_key=(9,)).generate_state(SEEDS * restarts)
    # Several threads would wait for one another: the vectors are few.
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
    """Student's t with names - 1 degrees of freedom; the standard error is that of a share of so many names."""
    error = np.sqrt(accuracy * (1 - accuracy) / names)
    return float(stats.t.sf((margin - abs(accuracy - chance)) / error, names - 1)) if error else 1.0


def _clustered(vectors: Floats, state: int) -> tuple[float, npt.NDArray[np.bool_]]:
    """Inertia, and who is in the second cluster, of one start."""
    fitted = KMeans(n_clusters=2, n_init=1, random_state=state).fit(vectors)
    return float(fitted.inertia_), np.asarray(fitted.labels_ == 1)


def _accuracy(inside: npt.NDArray[np.bool_], size: int) -> float:
    right = (np.count_nonzero(inside[:size]) + np.count_nonzero(~inside[size:])) / len(inside)
    return float(max(right, 1 - right))


def chance_law(n: int, m: int, inside: int) -> tuple[Floats, Floats]:
    """The accuracies, ascending, that random labels of n and m can give clusters of `inside` and the rest; and how
    likely each is."""
    hits = np.arange(max(0, inside - m), min(n, inside) + 1)
    right = (hits + m - (inside - hits)) / (n + m)
    accuracies, place = np.unique(np.round(np.maximum(right, 1 - right), 12), return_inverse=True)
    chances = np.bincount(place, weights=stats.hypergeom.pmf(hits, n + m, n, inside))
    return np.asarray(accuracies, dtype=np.float64), chances.astype(np.float64)


def project(vectors: Floats, seed: int) -> Floats | None:
    """t-SNE in two dimensions, [n, 2]; None for fewer than four vectors or vectors that are all alike.

    Perplexity 30, or a third of the other vectors where these are fewer than 90; started from the principal components.
    Source: Van der Maaten and Hinton 2008; scikit-learn.
    """
    if len(vectors) < 4 or not vectors.shape[1] or (vectors == vectors[0]).all():
        return None
    perplexity = min(PERPLEXITY, (len(vectors) - 1) / 3)
    start = "pca" if vectors.shape[1] > 1 else "random"
    # As above; and several threads would sum in another order.
    with one_thread():
        found = TSNE(2, perplexity=perplexity, init=start, random_state=seed, n_jobs=1).fit_transform(vectors)
    return np.asarray(found, dtype=np.float64)
