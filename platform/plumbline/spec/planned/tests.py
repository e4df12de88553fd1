"""A kind of test that a plan makes: its units, its family, and which effect it can detect."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import atanh, inf, isfinite, isnan, nan, sqrt, tanh
from typing import NamedTuple

from plumbline.spec.detectable_effects import by_sign_flips, by_t, fewest_unanimous, level_of_family
from plumbline.spec.verdicts import FEWEST_UNITS


class Shape(NamedTuple):
    """How an effect is turned into a figure whose errors are normal, and back."""

    straight: Callable[[float], float]
    effect: Callable[[float], float]


def _same(effect: float) -> float:
    return effect


PLAIN = Shape(_same, _same)
CORRELATION = Shape(atanh, tanh)
"""Fisher's z."""


@dataclass(frozen=True, kw_only=True)
class PlannedTest:
    """One kind of test. `members` of them are corrected together at `alpha`."""

    statistic: str
    labels: Mapping[str, bool]
    """By column of a measure whether these tests have a label in it."""
    effect: str
    """What is detected: "a difference of {} or more on one word"."""
    unit: str
    n_units: int
    members: int
    alpha: float
    margin: float
    """The smallest effect that matters; NaN: the margin is switched off."""
    subject: str = "This plan"
    """What has so many units."""
    given: str = ""
    """What the figure rests on, where that is not the units alone."""
    least_p: float = 0.0
    """The smallest p that the test can return; 0: it has no limit."""
    member: str = "test"
    """What is corrected together, in the singular: "difference"."""
    unanimous: str = ""
    """What a member with the smallest p looks like; empty where that is no limit, or cannot be said."""
    members_are_assumed: bool = False
    """How many members there are shows only when the plan has run."""
    fewest: int = FEWEST_UNITS
    """With fewer units there is no test."""
    spread: float = nan
    """By default, the standard deviation of one unit, on the scale of `shape`; NaN: it is not known."""
    is_known: bool = False
    """The spread follows from the numbers of units: no earlier run knows better."""
    flips_signs: bool = False
    largest: float = inf
    """The largest effect that there can be."""
    shape: Shape = PLAIN
    notes: tuple[str, ...] = ()

    @property
    def needed(self) -> int:
        """So many members must have the smallest p before any is significant."""
        return fewest_unanimous(self.least_p, self.members, self.alpha)

    @property
    def is_possible(self) -> bool:
        """Whether anything can become significant."""
        return self.n_units >= self.fewest and self.needed <= self.members

    def detectable(self, spread: float) -> float:
        """The effect that is found in 80% of runs with this spread; infinite where no possible effect is."""
        p = max(level_of_family(self.alpha, self.members), self.least_p)
        margin = 0.0 if isnan(self.margin) else self.shape.straight(self.margin)
        if self.flips_signs:
            found = by_sign_flips(spread, self.n_units, p, margin)
        else:
            found = by_t(spread / sqrt(self.n_units), self.n_units - 1, p, margin)
        effect = self.shape.effect(found) if isfinite(found) else inf
        return effect if effect < self.largest else inf


_PLURALS = {"kind of sentence": "kinds of sentence", "word family": "word families", "category": "categories"}


def several(unit: str) -> str:
    """The plural."""
    return _PLURALS.get(unit, f"{unit}s")


def counted(number: int, unit: str) -> str:
    """`26 kinds of sentence`, `1 name`."""
    return f"1 {unit}" if number == 1 else f"{number:,} {several(unit)}"
