"""Orders of groups along traits, by a model's words and by people's ratings. These functions are pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

STRONG = 5
"""The score from which an order by a model's words is marked."""
MARKS = ((20.0, "†"), (10.0, "*"))
"""The differences of mean ratings (0 to 100) from which an order by people is marked."""

Votes = Mapping[str, Mapping[str, int]]
"""The number of annotators for each word and pole."""


@dataclass(frozen=True, slots=True)
class Ordering:
    """Two groups along one trait: how often annotators mapped each group's words to each pole."""

    left: str
    right: str
    a_left: int
    a_right: int
    b_left: int
    b_right: int

    @property
    def score(self) -> int:
        """[C(A, t) - C(A, not t)] - [C(B, t) - C(B, not t)], where t is the right pole."""
        return (self.a_right - self.a_left) - (self.b_right - self.b_left)

    @property
    def sign(self) -> int | None:
        """-1 if A is below B on the right pole, 0 for no order, None if no word of either group is mapped here."""
        if not (self.a_left or self.a_right or self.b_left or self.b_right):
            return None
        return _sign(self.score)

    @property
    def strong(self) -> bool:
        return abs(self.score) >= STRONG


@dataclass(frozen=True, slots=True)
class Rated:
    """Two groups along one trait by people's ratings: mean of A minus mean of B, on a scale of 0 to 100."""

    difference: float | None

    @property
    def sign(self) -> int | None:
        return None if self.difference is None else _sign(self.difference)

    @property
    def mark(self) -> str:
        size = abs(self.difference or 0.0)
        return next((mark for least, mark in MARKS if size >= least), "")


@dataclass(frozen=True, slots=True)
class Agreement:
    """The number of traits that both sides order, and of those with the same order.

    There is no test: traits depend on each other, so their number says little about certainty.
    """

    traits: int
    same: int


def orderings(
    pairs: Iterable[tuple[str, str]], votes: Votes, words_a: Iterable[str], words_b: Iterable[str]
) -> list[Ordering]:
    """Return each trait (left and right pole) with the counts of the words of A and of B. A shared word counts for
    both.

    Source: An et al. 2023, section 5.
    """
    of_a, of_b = _counts(votes, words_a), _counts(votes, words_b)
    return [
        Ordering(left, right, of_a.get(left, 0), of_a.get(right, 0), of_b.get(left, 0), of_b.get(right, 0))
        for left, right in pairs
    ]


def agreement(signs: Sequence[tuple[int | None, int | None]]) -> Agreement:
    """Compare the signs by words and by people, trait by trait, without traits that either does not order."""
    both = [(one, other) for one, other in signs if one and other]
    return Agreement(len(both), sum(one == other for one, other in both))


def _counts(votes: Votes, words: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in set(words):
        for pole, count in votes.get(word, {}).items():
            found[pole] = found.get(pole, 0) + count
    return found


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
