"""Tallies by word: the number of wrong answers in which it was shown, and of those that misled the model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from workers.probes.sodapop.pairing import Floats, Ints, Outcomes, in_questions, successes

WordsOf = Callable[[str], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Tally:
    """The tally of one name in one context, one row per word in the order of the words."""

    words: list[str]
    shown: Ints
    """The number of distractors with the word in a question: T_all of equation 1."""
    chosen: Ints
    """The number of these that the model chose: T_suc."""
    expected: Floats
    """The number of these that it would choose, on average over random partners; of answers in text those chosen."""


def tally(texts: Sequence[str], outcomes: Outcomes, words_of: WordsOf) -> Tally:
    """Count the distractors of a cell, given in shuffled order, once per word (An et al. 2023, equation 1).

    Distractors that are in no question (an odd last one, or one paired with an option that could not be scored) do not
    count, but may be random partners of others. Nor do those of a question whose answer in text names no option.
    """
    shown = np.flatnonzero(in_questions(outcomes.choices, len(texts)))
    words = [sorted(words_of(texts[place])) for place in shown.tolist()]
    known, word = np.unique(np.array(list(chain.from_iterable(words)), dtype=np.str_), return_inverse=True)
    place = np.repeat(shown, [len(some) for some in words])
    won, share = successes(outcomes.choices, len(texts)), outcomes.expected
    return Tally(
        words=known.tolist(),
        shown=np.bincount(word, minlength=len(known)),
        chosen=np.bincount(word[won[place]], minlength=len(known)),
        expected=np.bincount(word, weights=share[place], minlength=len(known)).astype(np.float64),
    )
