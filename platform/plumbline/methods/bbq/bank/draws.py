"""Random draws from a seed: the same templates give the same questions, whatever other templates there are."""

import random
from collections.abc import Sequence
from typing import TypeVar

from plumbline.methods.bbq.bank.flags import UNKNOWNS
from plumbline.spec.banks.bbq_question import OPTIONS

Thing = TypeVar("Thing")
CUT = 5
"""The number of labels and names that are drawn from a larger pool. Source: the published examples."""


class Draws:
    """Uniform draws for one row of a template.

    Each row has a stream of its own, so that an edit of one moves no other.
    """

    def __init__(self, seed: int, *row: str) -> None:
        self._random = random.Random("\t".join((str(seed), *row)))  # noqa: S311 -- draws that can be made again

    def one(self, pool: Sequence[Thing]) -> Thing:
        return self._random.choice(pool)

    def some(self, pool: Sequence[Thing], count: int = CUT) -> list[Thing]:
        """Return at most `count` different members. A smaller pool is returned whole and in its order."""
        return self._random.sample(pool, count) if len(pool) >= count else list(pool)

    def unknown(self) -> str:
        """Return one of the ten wordings of UNKNOWN."""
        return self._random.choice(UNKNOWNS)

    def order(self) -> list[int]:
        """Return the places of the answers to the negative and the other question, and of UNKNOWN."""
        return self._random.sample(range(OPTIONS), OPTIONS)
