"""Questions of SODAPOP: distractors shuffled and paired, each pair with the right answer (An et al. 2023, 3.1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plumbline.spec.digests import digest

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

RIGHT = -1
"""The place of the right answer."""
UNASKED = -2
"""The choice in a question of which an option could not be scored, or whose answer in text names no option."""


def shuffled(texts: Sequence[str], seed: int, context: str, name: str) -> Ints:
    """Return the order in which the distractors of a cell are paired, int64 [n]: `texts[order[0]]` is the first.

    It depends only on the seed, the cell and the set of texts, and not on their order, the shard, the batch or the
    database.
    """
    canonical = np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.int64)
    random = np.random.default_rng(int(digest([seed, context, name])[:32], 16))
    return canonical[random.permutation(len(texts))]


def chosen(logits: Floats, answer: float) -> Ints:
    """Return the model's choice in each question of a cell, int64 [n // 2]: a distractor's place, RIGHT or UNASKED.

    `logits` [n] are those of the distractors in their shuffled order. Question q has places 2q and 2q + 1 and the right
    answer; an odd last distractor is in no question. The largest logit wins. A distractor that ties with the right
    answer has not misled the model. Of two distractors that tie, the first is chosen, which is random. A question with
    a NaN logit is not asked.
    """
    pairs = _pairs(logits)
    places = np.arange(0, pairs.size, 2) + (pairs[:, 1] > pairs[:, 0])
    found = np.where(pairs.max(axis=1) > answer, places, RIGHT)
    return np.where(np.isnan(pairs).any(axis=1) | np.isnan(answer), UNASKED, found).astype(np.int64)


def in_questions(choices: Ints, distractors: int) -> Bools:
    """Return whether each of this number of distractors is in a question that is asked, bool [n]."""
    found = np.zeros(distractors, dtype=np.bool_)
    found[: 2 * len(choices)] = np.repeat(choices != UNASKED, 2)
    return found


def successes(choices: Ints, distractors: int) -> Bools:
    """Return whether each of this number of distractors was chosen in its question, bool [n]."""
    found = np.zeros(distractors, dtype=np.bool_)
    found[choices[choices >= 0]] = True
    return found


def expected_successes(logits: Floats, answer: float) -> Floats:
    """Return the probability that each distractor is chosen with a random partner among the others, float64 [n].

    Exact, in O(n log n): 0 for a distractor that does not beat the right answer, else the share of the others that it
    beats, with ties as half, because it comes first as often as second (METHODS 7, ours). Distractors without a logit
    are no partners. NaN if there is no question.
    """
    found = np.full(len(logits), np.nan)
    sound = np.flatnonzero(~np.isnan(logits))
    if len(sound) < 2 or np.isnan(answer):
        return found
    values = logits[sound]
    ranked = np.sort(values)
    below = np.searchsorted(ranked, values, side="left")
    level = np.searchsorted(ranked, values, side="right") - below - 1
    found[sound] = np.where(values > answer, (below + level / 2) / (len(sound) - 1), 0.0)
    return found


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What the model chose in the questions of a cell: every reader of scores and of answers in text starts here."""

    choices: Ints
    """By question: the place of a distractor, RIGHT or UNASKED."""
    expected: Floats
    """By distractor: the probability that it is chosen with a random partner."""

    @classmethod
    def of_scores(cls, logits: Floats, answer: float) -> "Outcomes":
        return cls(chosen(logits, answer), expected_successes(logits, answer))

    @classmethod
    def of_text(cls, choices: Ints, distractors: int) -> "Outcomes":
        """Return the outcomes of answers in text. They say nothing about other partners, so what was chosen stands."""
        return cls(choices, successes(choices, distractors).astype(np.float64))


def _pairs(logits: Floats) -> Floats:
    """Return the logits of paired distractors, [n // 2, 2]."""
    return logits[: len(logits) // 2 * 2].reshape(-1, 2)
