"""Verdicts on effects, which the summary concludes from its tests. Pages, files and SQL only show them."""

from enum import StrEnum


class Verdict(StrEnum):
    """PRESENT: differs from zero. ABSENT: shown to be smaller than the smallest effect that matters.

    NOT_TESTABLE: with so few units neither can be shown. UNDECIDED: either could be shown, neither was.
    """

    PRESENT = "present"
    ABSENT = "absent"
    UNDECIDED = "undecided"
    NOT_TESTABLE = "not testable"


FEWEST_UNITS = 7
"""The fewest units for a verdict. Seven units agree by chance with p = 0.016, six with p = 0.03."""


class Scale(StrEnum):
    """The scale of a statistic, which sets the smallest effect that matters."""

    LOG = "log"
    CORRELATION = "correlation"
    RELATIVE = "relative"
    RATE = "rate"
    STANDARDISED = "standardised"
    COST = "cost"


SMALLEST_EFFECTS = {
    Scale.LOG: 0.22,
    Scale.CORRELATION: 0.1,
    Scale.RELATIVE: 0.1,
    Scale.RATE: 0.05,
    Scale.STANDARDISED: 0.2,
    Scale.COST: 0.02,
}
"""Defaults in the unit of the statistic. 0.22 is a ratio of 1.25 on natural logarithms. A cost is what a mitigation
does to the quality of a model: 2% of its perplexity, or 0.02 of an accuracy. Source: ours."""
