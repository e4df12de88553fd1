"""The verdict on an effect: what a summary concludes from its tests, and what pages, files and SQL only read."""

from enum import StrEnum


class Verdict(StrEnum):
    """PRESENT: differs from zero. ABSENT: shown to be smaller than the smallest effect that matters.

    NOT_TESTABLE: neither could have been shown with so few units. UNDECIDED: either could have been, and was not.
    """

    PRESENT = "present"
    ABSENT = "absent"
    UNDECIDED = "undecided"
    NOT_TESTABLE = "not testable"


FEWEST_UNITS = 7
"""Below that no statement generalises over the units: seven can agree by chance with p = 0.016, six with 0.03."""


class Scale(StrEnum):
    """What a statistic is measured on, which decides from which size on an effect matters."""

    LOG = "log"
    CORRELATION = "correlation"
    RELATIVE = "relative"
    RATE = "rate"
    STANDARDISED = "standardised"


SMALLEST_EFFECTS = {
    Scale.LOG: 0.22,
    Scale.CORRELATION: 0.1,
    Scale.RELATIVE: 0.1,
    Scale.RATE: 0.05,
    Scale.STANDARDISED: 0.2,
}
"""By default, in the unit of the statistic: 0.22 is a ratio of 1.25 on natural logarithms. Source: ours."""
