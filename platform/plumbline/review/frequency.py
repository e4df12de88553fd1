"""How frequent the names of a list are, by their groups: models may treat a rare name otherwise for that alone."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plumbline.review.splitting import FEWEST, SIGNIFICANT_Q, Difference, compare
from plumbline.vocab.models import Name, NameList

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
    """Of the names of a list. Without a difference there was nothing to test; q is that of the page's family."""

    source: str
    of: dict[str, float]
    """By name, of those that are known."""
    shares: list[Share]
    difference: Difference | None
    q_value: float | None = None

    @property
    def thin(self) -> list[Share]:
        """The parts of which much is unknown."""
        return [share for share in self.shares if not share.mostly_known]

    @property
    def extremes(self) -> tuple[Share, Share] | None:
        """The parts of the highest and the lowest median, where the test shows that parts differ."""
        if self.q_value is None or self.q_value >= SIGNIFICANT_Q:
            return None
        tested = [share for share in self.shares if share.known >= FEWEST]
        return max(tested, key=_height), min(tested, key=_height)


def frequencies_of(word_list: NameList, part_of: Mapping[str, str]) -> Frequencies | None:
    """Of the list's names, whose parts these are; None where no frequency is known. One query."""
    known = Name.objects.filter(word_list=word_list, frequency__isnull=False).values_list("name", "frequency")
    # A name may have come since the parts were read.
    of = {name: frequency for name, frequency in known if frequency is not None and name in part_of}
    return describe(word_list.frequency_source, of, part_of) if of else None


def describe(source: str, of: Mapping[str, float], part_of: Mapping[str, str]) -> Frequencies:
    """The frequencies by part. A name without one is unknown, never zero."""
    by_part: dict[str, list[float]] = defaultdict(list)
    for name, frequency in of.items():
        by_part[part_of[name]].append(frequency)
    shares = [
        Share(part, len(by_part[part]), n - len(by_part[part]), _quartiles(by_part[part]))
        for part, n in sorted(Counter(part_of.values()).items())
    ]
    return Frequencies(source, dict(of), shares, compare(by_part))


def _quartiles(figures: Sequence[float]) -> tuple[float, float, float] | None:
    if len(figures) < 2:
        return (figures[0],) * 3 if figures else None
    low, middle, high = statistics.quantiles(figures, n=4, method="inclusive")
    return low, middle, high


def _height(share: Share) -> tuple[float, ...]:
    """By the median; where that is the same, by the quartiles."""
    low, middle, high = share.quartiles or (0.0, 0.0, 0.0)
    return middle, high, low
