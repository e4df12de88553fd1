"""A kind of test that a plan makes: its units, its family and the effects that it can detect."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import atanh, inf, isfinite, isnan, nan, sqrt, tanh
from typing import NamedTuple

from plumbline.spec.power.detectable_effects import SLACK, by_sign_flips, by_t, fewest_unanimous, level_of_family
from plumbline.spec.verdicts import FEWEST_UNITS


class Shape(NamedTuple):
    """The transformation of an effect to a figure with normal errors, and back."""

    straight: Callable[[float], float]
    effect: Callable[[float], float]


def _same(effect: float) -> float:
    return effect


PLAIN = Shape(_same, _same)
CORRELATION = Shape(atanh, tanh)
"""Fisher's z-transformation."""


@dataclass(frozen=True, kw_only=True)
class PlannedTest:
    """One kind of test, with `members` tests that are corrected together at `alpha`."""

    statistic: str
    labels: Mapping[str, bool]
    """For columns of a measure, whether these tests have a label there."""
    effect: str
    """The detected effect as text, with {} for its size: "a difference of {} on one word"."""
    unit: str
    n_units: int
    members: int
    alpha: float
    margin: float
    """The smallest effect that matters, or NaN if the margin is switched off."""
    given: str = ""
    """The basis of the figure, if it is more than the units."""
    least_p: float = 0.0
    """The smallest p that the test can return. 0 means no limit."""
    member: str = "test"
    """The singular of what is corrected together: "difference"."""
    unanimous: str = ""
    """The appearance of a member with the smallest p. Empty if that is no limit or cannot be said."""
    members_are_assumed: bool = False
    """Whether the number of members is known only after the run."""
    fewest: int = FEWEST_UNITS
    """The fewest units of a test. With fewer units there is no test."""
    spread: float = nan
    """The default standard deviation of one unit on the scale of `shape`. NaN means unknown."""
    is_known: bool = False
    """Whether the spread follows from the numbers of units, so that no earlier run gives a better value."""
    flips_signs: bool = False
    largest: float = inf
    """The largest possible effect."""
    shape: Shape = PLAIN
    notes: tuple[str, ...] = ()
    """Further sentences about a test that can succeed."""
    needs: tuple[str, ...] = ()
    """Sentences about the fewest units with which the test finds something. They are always shown."""
    warnings: tuple[str, ...] = ()
    """Sentences about what has too few units. They are always shown, in place of the general one."""

    @property
    def needed(self) -> int:
        """The number of members that must reach the smallest p before any is significant."""
        return fewest_unanimous(self.least_p, self.members, self.alpha)

    @property
    def is_possible(self) -> bool:
        """Whether any member can become significant."""
        return self.n_units >= self.fewest and self.needed <= self.members

    @property
    def needs_many(self) -> bool:
        """Whether the smallest p is too large for the family, unless more of it is real than is assumed."""
        return self.least_p > level_of_family(self.alpha, self.members) * (1 + SLACK)

    def detectable(self, spread: float) -> float:
        """Return the effect that 80% of runs with this spread detect. Infinite if no possible effect is detected."""
        p = max(level_of_family(self.alpha, self.members), self.least_p)
        margin = 0.0 if isnan(self.margin) else self.shape.straight(self.margin)
        if self.flips_signs:
            found = by_sign_flips(spread, self.n_units, p, margin)
        else:
            found = by_t(spread / sqrt(self.n_units), self.n_units - 1, p, margin)
        effect = self.shape.effect(found) if isfinite(found) else inf
        return effect if effect < self.largest else inf
