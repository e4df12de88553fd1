"""SentenceDebias: the principal directions of sentences that differ only in the word for the group.

Source: Liang et al. 2020, Towards Debiasing Sentence Representations, section 3.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from workers.debiasing.maps import AffineMap, Array, nullspace_map


def sentence_debias(tuples: Sequence[npt.NDArray[np.floating]], directions: int = 1) -> AffineMap:
    """Return the projection that removes the first principal directions.

    `tuples`: for each sentence the states of its versions [groups, H], mean-pooled. Each is scaled to length 1, minus
    the mean of its own tuple. They are not centred over tuples, because that would remove the shared direction.
    """
    return nullspace_map(principal_directions(tuples, directions))


def principal_directions(tuples: Sequence[npt.NDArray[np.floating]], directions: int) -> Array:
    """Return the first right singular vectors of the centred versions, [directions, H], orthonormal."""
    centred = np.concatenate([_centred(np.asarray(one, dtype=np.float64)) for one in tuples])
    # The covariance is H x H, however many sentences there are.
    values, vectors = np.linalg.eigh(centred.T @ centred)
    rank = int((values > values[-1] * 1e-12).sum()) if values[-1] > 0 else 0
    return vectors[:, ::-1][:, : min(directions, rank)].T.copy() if rank else np.zeros((1, centred.shape[1]))


def _centred(versions: Array) -> Array:
    lengths = np.linalg.norm(versions, axis=1, keepdims=True)
    units = versions / np.where(lengths > 0, lengths, 1.0)
    return np.asarray(units - units.mean(0), dtype=np.float64)
