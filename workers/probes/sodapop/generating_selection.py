"""Selection of distractors from the generated texts: filtered, sampled and ordered."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import zip_longest

import numpy as np

from workers.probes.sodapop.generating_words import Start, Words

RIGHT_ANSWER, PUNCTUATION, NOT_DRAWN = "the right answer", "no word", "over the cap"
_RUNS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Distractors:
    """The distractors of one name and context, in the order of their texts."""

    texts: list[str]
    distances: list[int]
    """The number of positions in which each differs from the right answer; 1 to k in the paper's variant."""
    log_p: list[float]
    """Natural log: the largest sum, over the ways to a text, of the log probabilities of the new tokens."""
    dropped: Counter[str]
    """How many texts were left out, by reason."""


def select_distractors(
    start: Start, found: Mapping[Words, float], cap: int | None, seed: int, label: str
) -> Distractors:
    """Return each text once, without those that are not distractors; at most `cap` of them, drawn at random.

    Texts are dropped if they equal the right answer up to case, spaces and punctuation, or have no letter or digit. The
    draw depends only on the seed, the `label` of name and context, and the texts.
    """
    dropped: Counter[str] = Counter()
    texts: dict[str, tuple[int, float]] = {}
    right = _bare(start.words)
    for words, log_p in found.items():
        bare = _bare(words)
        if bare and bare != right:
            text = start.text(words)
            other = texts.get(text)
            distance = _distance(start.words, words)
            texts[text] = (min(distance, other[0]), max(log_p, other[1])) if other else (distance, log_p)
        else:
            dropped[RIGHT_ANSWER if bare else PUNCTUATION] += 1
    chosen = _drawn(sorted(texts), cap, seed, label)
    dropped[NOT_DRAWN] = len(texts) - len(chosen)
    return Distractors(chosen, [texts[one][0] for one in chosen], [texts[one][1] for one in chosen], +dropped)


def _bare(words: Words) -> list[str]:
    """Return the runs of letters and digits, without case."""
    return [run for word in words for run in _runs(word)]


@lru_cache(maxsize=1 << 16)
def _runs(word: str) -> list[str]:
    return [run.casefold() for run in _RUNS.findall(word)]


def _distance(own: Words, words: Words) -> int:
    return sum(one != other for one, other in zip_longest(own, words))


def _drawn(texts: list[str], cap: int | None, seed: int, label: str) -> list[str]:
    if cap is None or len(texts) <= cap:
        return texts
    rng = np.random.default_rng([seed, int.from_bytes(sha256(label.encode()).digest()[:8])])
    return [texts[index] for index in sorted(rng.choice(len(texts), cap, replace=False))]
