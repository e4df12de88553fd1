"""Embeddings of names: the mean of the final-layer state over subwords and contexts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plumbline.spec.banks.contexts import SLOT, Context, filled
from workers.engine.embeddings import Contextual
from workers.engine.sentences import Sentence, encode
from workers.probes.protocol import Progress
from workers.probes.span_embeddings import span_embeddings


@dataclass(frozen=True, slots=True)
class Embedded:
    """An embedding, float64 [H], and the number of the name's subwords."""

    vector: npt.NDArray[np.float64]
    subwords: int


def embedded(model: Contextual, name: str, contexts: Sequence[Context], progress: Progress) -> Embedded | str:
    """Return the name's embedding over the contexts that the model can read, or the reason if there are none.

    The name's first place in a context counts. Source: An et al. 2023, section 2; Bommasani et al. 2020 (mean over
    subwords).
    """
    encoded = encode(model.tokenizer, [_sentence(one.context, name) for one in contexts])
    sound = [one for one in encoded if not one.fault]
    if not sound:
        return encoded[0].fault
    vectors = span_embeddings(model, sound, progress)
    return Embedded(vectors.mean(axis=0, dtype=np.float64), len(sound[0].slots[0]))


def _sentence(context: str, name: str) -> Sentence:
    start = context.index(SLOT)
    return Sentence(filled(context, name), ((start, start + len(name)),))
