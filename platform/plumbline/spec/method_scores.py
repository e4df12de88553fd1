"""Scores of one run as other methods can share them, by comparable texts of groups and words."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from plumbline.spec.basis import Basis


class Estimate(NamedTuple):
    """A stored value with its interval, its verdict and its number of items."""

    value: float
    low: float | None
    high: float | None
    verdict: str
    n: int


@dataclass(frozen=True, slots=True)
class MethodScores:
    """The scores of one statistic of a run by (group, word), and the differences by (group, other group, word).

    The keys are comparable texts: the singular where the run's lists have it, in lower case.
    """

    run: int
    probe: str
    title: str
    statistic: str
    unit: str
    basis: Basis
    scores: dict[tuple[str, str], Estimate]
    differences: dict[tuple[str, str, str], Estimate]
    templates: frozenset[str]
    difference: str
    labels: dict[str, str]
    """For each comparable text the label of the run."""

    @property
    def groups(self) -> list[str]:
        return list(dict.fromkeys(group for group, _ in self.scores))

    def turned(self) -> "MethodScores":
        """Return the scores with words as groups and groups as words. A difference between words is not stored."""
        return replace(self, scores={(word, group): one for (group, word), one in self.scores.items()}, differences={})
