"""Draws: each word's embedding in its i-th sampled sentence."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workers.engine.embeddings import Contextual, Progress, Vectors, embeddings, last_subword
from workers.engine.sentences import Encoded, encode
from workers.probes.ceat.occurrences import Sampled
from workers.statistics.units import Floats, Positions

NO_OCCURRENCE = "does not occur in the corpus"
NOTHING: Positions = np.empty(0, dtype=np.intp)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A word's unit vectors, float32 [draws, H], and the number of distinct sentences behind them; or the reason."""

    vectors: Vectors | None
    drawn: Positions
    """The sentence number of each draw, [draws]."""
    sentences: int
    n_tokens: int | None
    reason: str = ""


def draw(
    model: Contextual, sampled: Mapping[str, Sampled], draws: int, seed: int, progress: Progress
) -> dict[str, Drawn]:
    """Return each word's final-layer state at its last subword, by sentence; shared sentences are run once.

    Sentences that the model cannot read (too long, an unknown letter in the word) are skipped. Fewer than `draws`
    sentences are drawn with replacement, seeded by the word. `progress` is called from time to time with 0.
    """
    encoded = {label: encode(model.tokenizer, one.sentences) for label, one in sampled.items()}
    sound = {label: [one for one in own if not one.fault] for label, own in encoded.items()}
    places = [last_subword(one) for own in sound.values() for one in own]
    states = np.split(embeddings(model, places, lambda _: progress(0)), np.cumsum([*map(len, sound.values())])[:-1])
    return {
        label: _drawn(label, own, vectors, draws, seed) if own else _nothing(label, encoded[label])
        for (label, own), vectors in zip(sound.items(), states, strict=True)
    }


def _nothing(label: str, encoded: Sequence[Encoded]) -> Drawn:
    why = f"in no sentence that the model can take: {encoded[0].fault}" if encoded else NO_OCCURRENCE
    return Drawn(None, NOTHING, 0, None, f"{label!r} {why}")


def _drawn(label: str, sound: Sequence[Encoded], states: Vectors, draws: int, seed: int) -> Drawn:
    states = states / np.linalg.norm(states, axis=1, keepdims=True)
    order = _order(len(sound), draws, f"{seed}\x1f{label}")
    return Drawn(states[order], order, min(len(sound), draws), len(sound[0].slots[0]))


def _order(sentences: int, draws: int, seed: str) -> Positions:
    if sentences >= draws:
        return np.arange(draws)
    return np.array(random.Random(seed).choices(range(sentences), k=draws))  # noqa: S311 -- a sample, no secret


def cosines(one: Drawn, other: Drawn) -> Floats | None:
    """Return the cosine of two words in each draw, float64 [draws]; None if one of them has no embedding."""
    if one.vectors is None or other.vectors is None:
        return None
    return np.asarray(np.einsum("dh,dh->d", one.vectors.astype(np.float64), other.vectors.astype(np.float64)))
