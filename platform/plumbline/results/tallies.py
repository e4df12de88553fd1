"""A contrast of two groups, counted: all that its sentences are told from."""

from dataclasses import dataclass

from plumbline.spec.measure import Measure

WORDS_TOLD = 3
"""The words that are named, of those that lean to a side."""


@dataclass(frozen=True, slots=True)
class Side:
    """One group of a contrast: how many attributes are linked with it more strongly, how many lean to it, and which."""

    group: str
    tied: int
    leaning: int
    words: tuple[str, ...]
    """The strongest of those that lean to it."""


@dataclass(frozen=True, slots=True)
class Tally:
    """A contrast counted: all that its sentences are told from."""

    a: Side
    b: Side
    attributes: int
    units: int
    overall: tuple[Measure, ...]
    absent: int
    undecided: int
    not_testable: int
    smallest_effect: float | None
    under_others: tuple[Measure, ...] = ()

    @property
    def judged(self) -> int:
        """Attributes with a verdict: none in measures of earlier rules."""
        return self.a.tied + self.b.tied + self.absent + self.undecided + self.not_testable
