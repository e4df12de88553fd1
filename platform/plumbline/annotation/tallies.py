"""What raters' answers to questions of BBQ come to: who is careful, which templates pass, how right people are. Pure.

Source: Parrish et al. 2022, section 4 and appendix D.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from plumbline.annotation import agreement
from plumbline.annotation.template_texts import CONDITIONS, Key
from plumbline.spec.bbq_question import OPTIONS

CAREFUL = 0.85
"""Share of fillers that a rater has to get right; the paper's annotators were all above."""

Person = Mapping[int, int]
"""One rater's answers, places of options, by item."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One item of a task: a filler has no template."""

    pk: int
    gold: int
    key: Key | None = None
    condition: str = ""
    polarity: str = ""


@dataclass(frozen=True, slots=True)
class Rater:
    """How somebody did on the fillers; `number` is all that is told of who it is."""

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
    """A template's question of one condition: how many of the raters gave which answer."""

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
    """A template, with its four cells in the order of CONDITIONS."""

    key: Key
    cells: tuple[Cell, ...]

    @property
    def passes(self) -> bool:
        return all(cell.passes for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How right people are on the questions of BBQ, fillers left out: of all answers, and of the majority's."""

    right: int
    answers: int
    right_majorities: int
    items: int
    alpha: float | None
    """Krippendorff's, nominal, over the places of the options."""

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
    """Without those who are flagged."""
    return [person for person, own in zip(people, raters(items, people), strict=True) if not own.flagged]


def verdicts(items: Sequence[Asked], people: Sequence[Person], threshold: float) -> list[Verdict]:
    """Each template in the order of its category and name; it passes when all of its questions do."""
    found: dict[Key, dict[Key, Cell]] = {}
    for one in items:
        if one.key is not None:
            found.setdefault(one.key, {})[one.condition, one.polarity] = _cell(one, people, threshold)
    return [Verdict(key, tuple(found[key][asked] for asked in CONDITIONS)) for key in sorted(found)]


def agreeing(raters: int, threshold: float) -> int:
    """How many of so many raters have to agree: 4 of 5 at 0.8, whatever floating point makes of it."""
    return ceil(threshold * raters - 1e-9)


def _cell(one: Asked, people: Sequence[Person], threshold: float) -> Cell:
    votes = Counter(person[one.pk] for person in people)
    passes = bool(people) and votes[one.gold] >= agreeing(len(people), threshold)
    counts = tuple(votes[place] for place in range(OPTIONS))
    return Cell(one.pk, one.condition, one.polarity, one.gold, counts, passes)


def accuracy(items: Sequence[Asked], people: Sequence[Person]) -> Accuracy:
    """A majority is the one answer that most gave; where two are equally frequent none is, and nobody is right."""
    own = [one for one in items if one.key is not None]
    counts = [Counter(person[one.pk] for person in people) for one in own]
    right = sum(votes[one.gold] for one, votes in zip(own, counts, strict=True))
    majorities = sum(_most(votes) == one.gold for one, votes in zip(own, counts, strict=True))
    answers = np.array([[person[one.pk] for one in own] for person in people], dtype=np.int64)
    return Accuracy(right, len(own) * len(people), majorities, len(own), agreement.alpha(answers))


def _most(votes: Counter[int]) -> int | None:
    """The one answer that most gave."""
    most = max(votes.values(), default=0)
    first = [answer for answer, count in votes.items() if count == most]
    return first[0] if len(first) == 1 else None
