"""Tallies of raters' answers to questions of BBQ: careful raters, passed templates and accuracy. These are pure.

Source: Parrish et al. 2022, section 4 and appendix D.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from plumbline.annotation import agreement
from plumbline.annotation.template_texts import CONDITIONS, Key
from plumbline.spec.banks.bbq_question import OPTIONS

CAREFUL = 0.85
"""The share of fillers that a careful rater answers correctly. All of the paper's annotators were above it."""

Person = Mapping[int, int]
"""One rater's answers by item, as option indexes."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One item of a task. Fillers have no template."""

    pk: int
    gold: int
    key: Key | None = None
    condition: str = ""
    polarity: str = ""


@dataclass(frozen=True, slots=True)
class Rater:
    """A rater's result on the fillers. `number` is the only identification."""

    number: int
    right: int
    fillers: int

    @property
    def share(self) -> float | None:
        return self.right / self.fillers if self.fillers else None

    @property
    def flagged(self) -> bool:
        return self.share is not None and self.share < CAREFUL


@dataclass(frozen=True, slots=True)
class Cell:
    """A template's question in one condition, with the number of raters for each answer."""

    item: int
    condition: str
    polarity: str
    gold: int
    votes: tuple[int, ...]
    passes: bool

    @property
    def right(self) -> int:
        return self.votes[self.gold]

    @property
    def n(self) -> int:
        return sum(self.votes)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A template with its four cells in the order of CONDITIONS."""

    key: Key
    cells: tuple[Cell, ...]

    @property
    def passes(self) -> bool:
        return all(cell.passes for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """People's accuracy on the questions of BBQ without fillers: of all answers, and of the majority's answers."""

    right: int
    answers: int
    right_majorities: int
    items: int
    alpha: float | None
    """Krippendorff's alpha (nominal) over option indexes."""

    @property
    def raw(self) -> float | None:
        return self.right / self.answers if self.answers else None

    @property
    def majority(self) -> float | None:
        return self.right_majorities / self.items if self.items and self.answers else None


def raters(items: Sequence[Asked], people: Sequence[Person]) -> list[Rater]:
    between = [one for one in items if one.key is None]
    return [
        Rater(number, sum(person[one.pk] == one.gold for one in between), len(between))
        for number, person in enumerate(people, start=1)
    ]


def careful(items: Sequence[Asked], people: Sequence[Person]) -> list[Person]:
    """Return the people who are not flagged."""
    return [person for person, own in zip(people, raters(items, people), strict=True) if not own.flagged]


def verdicts(items: Sequence[Asked], people: Sequence[Person], threshold: float) -> list[Verdict]:
    """Return the verdict on each template, ordered by category and name. It passes if all of its questions do."""
    found: dict[Key, dict[Key, Cell]] = {}
    for one in items:
        if one.key is not None:
            found.setdefault(one.key, {})[one.condition, one.polarity] = _cell(one, people, threshold)
    return [Verdict(key, tuple(found[key][asked] for asked in CONDITIONS)) for key in sorted(found)]


def agreeing(raters: int, threshold: float) -> int:
    """Return how many of this many raters must agree: 4 of 5 at 0.8, despite floating-point errors."""
    return ceil(threshold * raters - 1e-9)


def _cell(one: Asked, people: Sequence[Person], threshold: float) -> Cell:
    votes = Counter(person[one.pk] for person in people)
    passes = bool(people) and votes[one.gold] >= agreeing(len(people), threshold)
    counts = tuple(votes[place] for place in range(OPTIONS))
    return Cell(one.pk, one.condition, one.polarity, one.gold, counts, passes)


def accuracy(items: Sequence[Asked], people: Sequence[Person]) -> Accuracy:
    """Return people's accuracy. The majority is the single most frequent answer. A tie has none and counts as wrong."""
    own = [one for one in items if one.key is not None]
    counts = [Counter(person[one.pk] for person in people) for one in own]
    right = sum(votes[one.gold] for one, votes in zip(own, counts, strict=True))
    majorities = sum(_most(votes) == one.gold for one, votes in zip(own, counts, strict=True))
    answers = np.array([[person[one.pk] for one in own] for person in people], dtype=np.int64)
    return Accuracy(right, len(own) * len(people), majorities, len(own), agreement.alpha(answers))


def _most(votes: Counter[int]) -> int | None:
    """Return the single most frequent answer, or None for a tie."""
    most = max(votes.values(), default=0)
    first = [answer for answer, count in votes.items() if count == most]
    return first[0] if len(first) == 1 else None
