"""Scores of a question's options by a causal language model: how likely each is after the text before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.masked import FloatArray, Progress
from workers.engine.multiple_choice import Pair
from workers.engine.sentences import Encoded, Sentence, encode

Scoring = Literal["sum", "mean_token", "mean_byte", "pmi"]
NEUTRAL = "Answer:"
"""The text before the option in the prior of `pmi`: it announces an answer and says nothing about the question."""


@dataclass(frozen=True, slots=True)
class Seam:
    """How option and first text are joined, and the text before the option in the prior of `pmi`.

    `ready`: the first text is exactly what the tokenizer reads, special tokens included (a chat template's), and the
    option follows directly. Otherwise one space separates them, which belongs to the option.
    """

    neutral: str = NEUTRAL
    ready: bool = False


PLAIN = Seam()


def option_faults(tokenizer: Any, pairs: Sequence[Pair], scoring: Scoring, seam: Seam = PLAIN) -> list[str]:
    """Return why each pair of first text and option cannot be scored; empty if it can."""
    return [one.fault or neutral.fault for one, neutral in _both(tokenizer, pairs, scoring, seam)]


def option_scores(
    model: CausalModel,
    pairs: Sequence[Pair],
    scoring: Scoring,
    progress: Progress | None = None,
    seam: Seam = PLAIN,
) -> FloatArray:
    """Return a score for each option after its first text, natural log, float64 [n]; NaN for a pair with a fault.

    The two are tokenized together, joined by `seam`. Text after the option has no influence. `sum`: log P(option |
    first text) by the chain rule. `mean_token`: the sum over the option's number of tokens. `mean_byte`: over its bytes
    in UTF-8, without the space. `pmi`: the sum minus log P(option | neutral text of the seam), the domain conditional
    PMI of Holtzman et al. 2021, section 3. A first text is run once for all its options, shared beginnings once for all
    texts, and no score depends on the batch. `progress` is called with the number of pairs answered since its last
    call. Raises ModelError when a single sequence does not fit into memory.
    """
    both = _both(model.tokenizer, pairs, scoring, seam)
    sound = [row for row, (one, neutral) in enumerate(both) if not (one.fault or neutral.fault)]
    scores = np.full(len(pairs), np.nan)
    if progress and len(sound) < len(pairs):
        progress(len(pairs) - len(sound))
    log_p = model.log_probabilities([_query(both[row][0]) for row in sound], progress)
    if scoring == "pmi":
        log_p = log_p - model.log_probabilities([_query(both[row][1]) for row in sound])
    scores[sound] = log_p / _lengths(scoring, [pairs[row] for row in sound], [both[row][0] for row in sound])
    return scores


def _both(tokenizer: Any, pairs: Sequence[Pair], scoring: Scoring, seam: Seam) -> list[tuple[Encoded, Encoded]]:
    """Return each option after its first text, and after the neutral text if the scoring needs it."""
    encoded = _encoded(tokenizer, pairs, seam)
    if scoring != "pmi":
        return list(zip(encoded, encoded, strict=True))
    neutral = _encoded(tokenizer, [(seam.neutral, option) for _, option in pairs], seam)
    return list(zip(encoded, neutral, strict=True))


def _encoded(tokenizer: Any, pairs: Sequence[Pair], seam: Seam) -> list[Encoded]:
    sentences = [_sentence(first, option, seam) for first, option in pairs]
    return encode(tokenizer, sentences, special_tokens=not seam.ready)


def _sentence(first: str, option: str, seam: Seam) -> Sentence:
    """Return the joined sentence with exactly one space at the seam, or none without a first text."""
    before, option = first.rstrip(), option.strip()
    if seam.ready:
        return Sentence(first + option, ((len(first), len(first) + len(option)),))
    text = f"{before} {option}" if before else option
    return Sentence(text, ((len(text) - len(option), len(text)),))


def _query(encoded: Encoded) -> CausalQuery:
    option = encoded.slots[0]
    return CausalQuery(encoded.ids[: option.start], encoded.ids[option.start : option.stop])


def _lengths(scoring: Scoring, pairs: Sequence[Pair], encoded: Sequence[Encoded]) -> npt.NDArray[np.int64]:
    """Return the divisor of each score, int64 [n]."""
    if scoring == "mean_token":
        return np.array([len(one.slots[0]) for one in encoded], dtype=np.int64)
    if scoring == "mean_byte":
        return np.array([len(option.strip().encode()) for _, option in pairs], dtype=np.int64)
    return np.ones(len(pairs), dtype=np.int64)
