"""Frequencies of a list's names by group. A model may treat rare names differently for that reason alone."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.audits.models import WordTest
from plumbline.audits.word_materials import WordMaterial

MOST_UNKNOWN = 0.25
"""The share of names without a frequency above which the known ones may not represent the group."""


@dataclass(frozen=True, slots=True)
class Share:
    """A group of the list: its names with and without a frequency, and the quartiles of the known frequencies.

    The quartiles are in the list's own unit, interpolated linearly. They are None if no frequency is known.
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
    """The frequencies of a list's names. `difference` is a test result, None if there was no test."""

    source: str
    shares: list[Share]
    difference: Mapping[str, Any] | None = None

    @property
    def thin(self) -> list[Share]:
        """The groups in which many frequencies are unknown."""
        return [share for share in self.shares if not share.mostly_known]

    @property
    def extremes(self) -> tuple[Share, Share] | None:
        """The groups with the highest and the lowest median, if the test shows that groups differ."""
        if not (self.difference and self.difference["present"]):
            return None
        tested = [share for share in self.shares if share.known >= WordTest.FEWEST_WORDS]
        return max(tested, key=_height), min(tested, key=_height)


def frequencies_of(
    source: str, material: WordMaterial, difference: Mapping[str, Any] | None = None
) -> Frequencies | None:
    """Return the frequencies by group, or None if none is known. A missing frequency is unknown, not zero."""
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
    """Return the key that orders groups: the median, then the quartiles."""
    low, middle, high = share.quartiles or (0.0, 0.0, 0.0)
    return middle, high, low
