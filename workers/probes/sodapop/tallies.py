"""Tallies by word: in how many wrong answers it was shown, and how many of them misled the model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from workers.probes.sodapop.pairing import Floats, Ints, asked, expected_successes, successes

WordsOf = Callable[[str], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Tally:
    """Of one name in one context; one row a word, in the order of the words."""

    words: list[str]
    shown: Ints
    """The distractors with the word that stood in a question: T_all of equation 1."""
    chosen: Ints
    """Those of them that the model chose: T_suc."""
    expected: Floats
    """How many of them it would choose, on average over random partners."""


def tally(texts: Sequence[str], logits: Floats, answer: float, words_of: WordsOf) -> Tally:
    """The distractors of a cell in their shuffled order, each counted once per word (An et al. 2023, equation 1).

    What stands in no question (an odd last one, one beside an option that could not be scored) is not counted; as a
    random partner it may stand in for another.
    """
    shown = np.flatnonzero(asked(logits, answer))
    words = [sorted(words_of(texts[place])) for place in shown.tolist()]
    known, word = np.unique(np.array(list(chain.from_iterable(words)), dtype=np.str_), return_inverse=True)
    place = np.repeat(shown, [len(some) for some in words])
    won, share = successes(logits, answer), expected_successes(logits, answer)
    return Tally(
        words=known.tolist(),
        shown=np.bincount(word, minlength=len(known)),
        chosen=np.bincount(word[won[place]], minlength=len(known)),
        expected=np.bincount(word, weights=share[place], minlength=len(known)).astype(np.float64),
    )
