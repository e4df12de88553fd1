"""What chance decides, from a seed: the same templates give the same questions, whatever else lies beside them."""

import random
from collections.abc import Sequence
from typing import TypeVar

from plumbline.spec.bbq_question import OPTIONS
from plumbline.vocab.banks.bbq.flags import UNKNOWNS

Thing = TypeVar("Thing")
CUT = 5
"""Labels and names that are drawn of a larger pool. Source: the published examples."""


class Draws:
    """Uniform draws for one row of a template; each row has a stream of its own, so that editing one moves no other."""

    def __init__(self, seed: int, *row: str) -> None:
        self._random = random.Random("\t".join((str(seed), *row)))  # noqa: S311 -- draws that can be made again

    def one(self, pool: Sequence[Thing]) -> Thing:
        return self._random.choice(pool)

    def some(self, pool: Sequence[Thing], count: int = CUT) -> list[Thing]:
        """At most `count` different ones; a smaller pool stays whole and in its order."""
        return self._random.sample(pool, count) if len(pool) >= count else list(pool)

    def unknown(self) -> str:
        """One of the ten ways to say that nobody can tell."""
        return self._random.choice(UNKNOWNS)

    def order(self) -> list[int]:
        """The places of the answers to the negative and the other question, and of UNKNOWN."""
        return self._random.sample(range(OPTIONS), OPTIONS)
