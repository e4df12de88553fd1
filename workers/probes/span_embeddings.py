"""Embeddings of spans of a text: the mean of the final layer over each span's subwords."""

from collections.abc import Sequence

import numpy as np

from workers.engine.embeddings import Contextual, Place, Progress, Vectors, embeddings
from workers.engine.sentences import Encoded

AT_ONCE = 256
"""Number of texts between two calls of `progress`."""


def span_embeddings(model: Contextual, found: Sequence[Encoded], progress: Progress) -> Vectors:
    """Return the mean state of each slot, concatenated: float32 [texts, slots x H].

    The encodings must have no fault.
    """
    parts = []
    for start in range(0, len(found), AT_ONCE):
        some = found[start : start + AT_ONCE]
        places = [Place(one.ids, position) for one in some for slot in one.slots for position in slot]
        states = embeddings(model, places, lambda _: progress(0))
        sizes = [len(slot) for one in some for slot in one.slots]
        sums = np.add.reduceat(states, np.concatenate([[0], np.cumsum(sizes)[:-1]]), axis=0)
        parts.append((sums / np.array(sizes, dtype=np.float32)[:, None]).reshape(len(some), -1))
    return np.concatenate(parts).astype(np.float32)
