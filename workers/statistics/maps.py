"""Maps of vectors in two dimensions by t-SNE, Isomap, UMAP or principal components."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse.csgraph import connected_components
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE, Isomap
from sklearn.neighbors import kneighbors_graph

from workers.statistics.threads import one_thread
from workers.statistics.units import Floats

FEWEST = {"tsne": 4, "isomap": 3, "umap": 4, "pca": 3}
"""Minimum number of vectors by method."""


class NoMapError(ValueError):
    """The error for vectors that cannot be mapped; its text says why."""


@dataclass(frozen=True)
class Layout:
    """A map of vectors. `parameter` is the value used.

    `note` says why it differs from the requested one, or what else matters.
    """

    positions: Floats
    """float64 [n, 2]. Only distances between neighbours are meaningful, except with principal components."""
    parameter: float | None = None
    """Perplexity of t-SNE, number of neighbours of Isomap and UMAP, None for principal components."""
    note: str = ""
    explained: tuple[float, ...] = ()
    """Shares of the variance of the two principal components."""


def layout(vectors: Floats, method: str, *, parameter: float, seed: int) -> Layout:
    """Map the vectors [n, features] to two dimensions; the map depends only on the vectors, `parameter` and the seed.

    A perplexity above a third of the other vectors is lowered, as is a number of neighbours above the number of others;
    `note` says so. Raises NoMapError for too few or equal vectors.
    Sources: Van der Maaten and Hinton 2008; Tenenbaum et al. 2000; McInnes et al. 2018 (umap-learn); scikit-learn.
    """
    if len(vectors) < FEWEST[method]:
        raise NoMapError(f"{len(vectors)} targets: this map needs {FEWEST[method]} at least.")
    if not vectors.shape[1] or (vectors == vectors[0]).all():
        raise NoMapError("All targets have the same scores, so no map can tell them apart.")
    with one_thread():
        found = METHODS[method](vectors.astype(np.float64), parameter, seed)
    return replace(found, positions=found.positions.astype(np.float64))


def _tsne(vectors: Floats, parameter: float, seed: int) -> Layout:
    most = (len(vectors) - 1) / 3
    used, note = _lowered(parameter, most, "perplexity")
    found = TSNE(2, perplexity=used, init=_start(vectors), random_state=seed, n_jobs=1).fit_transform(vectors)
    return Layout(found, used, note)


def _isomap(vectors: Floats, parameter: float, seed: int) -> Layout:
    used, note = _neighbours(vectors, parameter)
    graph = kneighbors_graph(vectors, used, mode="distance", n_jobs=1)
    parts = connected_components(graph, directed=False)[0]
    if parts > 1:
        note = f"{note} The neighbours form {parts} groups without a link; the nearest members were linked.".strip()
    with warnings.catch_warnings():
        # Isomap warns of the unlinked groups, which `note` reports, and of how it links them.
        warnings.simplefilter("ignore")
        found = Isomap(n_neighbors=used, n_components=2, eigen_solver="dense", n_jobs=1).fit_transform(vectors)
    return Layout(found, used, note)


def _umap(vectors: Floats, parameter: float, seed: int) -> Layout:
    used, note = _neighbours(vectors, parameter)
    with warnings.catch_warnings():
        # umap is imported here because its compiler takes seconds to load. It warns that TensorFlow, which is not used,
        # is absent.
        warnings.simplefilter("ignore")
        from umap import UMAP

        # The start is by principal components because the spectral start fails for few vectors. One thread makes it
        # reproducible.
        model = UMAP(n_neighbors=used, init=_start(vectors), random_state=seed, n_jobs=1)
        found = model.fit_transform(vectors)
    return Layout(found, used, note)


def _pca(vectors: Floats, _parameter: float, _seed: int) -> Layout:
    fitted = PCA(min(2, vectors.shape[1]), svd_solver="full").fit(vectors)
    found = fitted.transform(vectors)
    positions = np.column_stack([found, np.zeros((len(found), 2 - found.shape[1]))])
    shares = [float(share) for share in fitted.explained_variance_ratio_]
    return Layout(positions, explained=(*shares, 0.0)[:2])


def _neighbours(vectors: Floats, parameter: float) -> tuple[int, str]:
    used, note = _lowered(parameter, len(vectors) - 1, "number of neighbours")
    return int(used), note


def _lowered(parameter: float, most: float, what: str) -> tuple[float, str]:
    if parameter <= most:
        return parameter, ""
    return most, f"The {what} was lowered from {parameter:g} to {most:.3g}: there are too few targets."


def _start(vectors: Floats) -> str:
    return "pca" if min(vectors.shape) > 1 else "random"


METHODS: Mapping[str, Callable[[Floats, float, int], Layout]] = {
    "tsne": _tsne,
    "isomap": _isomap,
    "umap": _umap,
    "pca": _pca,
}
