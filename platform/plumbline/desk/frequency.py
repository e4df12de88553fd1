"""How frequent the names of a list are, by their groups: models may treat a rare name otherwise for that alone."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.audits.models import WordTest
from plumbline.audits.word_materials import WordMaterial

MOST_UNKNOWN = 0.25
"""Where more of a part is unknown, what is known of it may be another kind of name."""


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the list: how many names have a frequency and how many none; the known ones' quartiles.

    The quartiles are in the list's own unit, between neighbours in proportion; None where none is known.
    """

    name: str
    known: int
    unknown: int
    quartiles: tuple[float, float, float] | None

    @property
    def n(self) -> int:
        return self.known + self.unknown

    @property
    def median(self) -> float | None:
        return self.quartiles[1] if self.quartiles else None

    @property
    def mostly_known(self) -> bool:
        return self.unknown <= MOST_UNKNOWN * self.n


@dataclass(frozen=True, slots=True)
class Frequencies:
    """Of the names of a list. `difference` is a worker's answer; None: nothing to test, or nobody asked."""

    source: str
    shares: list[Share]
    difference: Mapping[str, Any] | None = None

    @property
    def thin(self) -> list[Share]:
        """The parts of which much is unknown."""
        return [share for share in self.shares if not share.mostly_known]

    @property
    def extremes(self) -> tuple[Share, Share] | None:
        """The parts of the highest and the lowest median, where the test shows that parts differ."""
        if not (self.difference and self.difference["present"]):
            return None
        tested = [share for share in self.shares if share.known >= WordTest.FEWEST_WORDS]
        return max(tested, key=_height), min(tested, key=_height)


def frequencies_of(
    source: str, material: WordMaterial, difference: Mapping[str, Any] | None = None
) -> Frequencies | None:
    """The frequencies by part; None where none is known. A name without one is unknown, never zero."""
    if not material.frequency_of:
        return None
    by_part: dict[str, list[float]] = defaultdict(list)
    for name, frequency in material.frequency_of.items():
        by_part[material.part_of[name]].append(frequency)
    shares = [
        Share(part, len(by_part[part]), n - len(by_part[part]), _quartiles(by_part[part]))
        for part, n in sorted(Counter(material.part_of.values()).items())
    ]
    return Frequencies(source, shares, difference)


def _quartiles(figures: Sequence[float]) -> tuple[float, float, float] | None:
    if len(figures) < 2:
        return (figures[0],) * 3 if figures else None
    low, middle, high = statistics.quantiles(figures, n=4, method="inclusive")
    return low, middle, high


def _height(share: Share) -> tuple[float, ...]:
    """By the median; where that is the same, by the quartiles."""
    low, middle, high = share.quartiles or (0.0, 0.0, 0.0)
    return middle, high, low
