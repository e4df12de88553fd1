"""Formats of numbers for the console, notices and sentences."""

import re
from decimal import Decimal

from plumbline.spec.measure import FAMILY_AND_KIND, Measure

ROUNDING = 1e-12
"""The size below which a figure is a rounding error of zero."""

TENTH = Decimal("0.1")

_WITHOUT_DIRECTION = re.compile(
    r"_share$|^attribute_preference$|accuracy$|_rate$|^precision_at_|perplexity$|^gest_[rg]"
)
"""The statistics that are amounts: a plus sign would make one look like a difference."""

LEVELS = (0.01, 0.05, 0.1)
"""The usual levels of significance."""

SMALLEST_SHOWN = 0.000001
"""A smaller probability is shown as smaller than this."""

_PLURALS = {
    "kind of sentence": "kinds of sentence",
    "group of names": "groups of names",
    "pair of templates": "pairs of templates",
    "word family": "word families",
    "sentence family": "sentence families",
    FAMILY_AND_KIND: "word families and kinds of sentence",
    "category": "categories",
    "entry": "entries",
}


def number(value: float | None) -> str:
    """Format a number with two significant figures and its sign. Zero has no sign. None becomes a dash."""
    if value is None or abs(value) < ROUNDING:
        return "-" if value is None else "0"
    return f"{value:+.{_decimals(value)}f}"


def amount(value: float) -> str:
    """Format a number without a plus sign: two significant figures (`0.028`, `0.10`), and `1,234` from 10 on."""
    if abs(value) < ROUNDING:
        return "0.0"
    # Rounding to two figures may add one in front: 0.0997 is 0.10, and 9.95 is 10.
    decimals = max(0, 1 - int(f"{value:.1e}".partition("e")[2]))
    return f"{value:,.{decimals}f}"


def money(of: Decimal) -> str:
    """Format an amount of money: two decimals, or two significant figures of less than a tenth."""
    return amount(float(of)) if 0 < of < TENTH else f"{of:,.2f}"


def _decimals(value: float) -> int:
    """Return the number of decimals that show two significant figures, so that no number needs a power of ten."""
    return 2 if abs(value) >= 0.095 else 1 - int(f"{value:.1e}".partition("e")[2])


def count(of: int | None) -> str:
    """Format a count with commas (`1,000,000`), or a dash for None."""
    return "-" if of is None else f"{of:,}"


def several(unit: str) -> str:
    """Return the plural of a unit."""
    return _PLURALS.get(unit, f"{unit}s")


def counted(number: int, unit: str) -> str:
    """Format a number with its unit: `26 kinds of sentence`, `1 name`, `at least 12 word families and 12 kinds ...`."""
    if unit == FAMILY_AND_KIND:
        # One number stands for both: that of the fewer.
        return f"at least {counted(number, 'word family')} and {counted(number, 'kind of sentence')}"
    return f"1 {unit}" if number == 1 else f"{number:,} {several(unit)}"


def proportion(value: float | None) -> str:
    """Format a number from 0 to 1 with two significant figures, as `<0.000001` if it is smaller, or a dash for None."""
    if value is None or not value:
        return "-" if value is None else "0"
    if value < SMALLEST_SHOWN:
        return f"<{SMALLEST_SHOWN:f}"
    return f"{value:.2f}" if value >= 0.095 else f"{value:.{_decimals(value)}f}".rstrip("0")


def probability(value: float | None) -> str:
    """Format a p or a q as a proportion. A value just below a level of significance is `<0.05`."""
    text = proportion(value)
    if value is None or text.startswith("<"):
        return text
    # Rounded to its level, a significant value would look like one that is not.
    return f"<{text}" if float(text) in LEVELS and value < float(text) else text


def value_of(measure: Measure) -> str:
    """Format the value of a measure, with its sign where the sign tells a direction: `+0.42`, but a share of `0.69`."""
    return _as_measured(measure, measure.value)


def _as_measured(measure: Measure, value: float | None) -> str:
    text = number(value)
    return text.removeprefix("+") if _WITHOUT_DIRECTION.search(measure.statistic) else text


def limits(measure: Measure) -> str:
    """Format the interval of a value, `[+0.31, +0.53]`, or a dash without one."""
    if measure.ci_low is None and measure.ci_high is None:
        return "-"
    return f"[{_as_measured(measure, measure.ci_low)}, {_as_measured(measure, measure.ci_high)}]"


def with_interval(measure: Measure) -> str:
    """Format a value with its interval: `+0.42 [+0.31, +0.53]`, `+0.42 (no interval)`, or a dash if undefined."""
    if measure.ci_low is None and measure.ci_high is None:
        return "-" if measure.value is None else f"{value_of(measure)} (no interval)"
    return f"{value_of(measure)} {limits(measure)}"


def with_uncertainty(measure: Measure) -> str:
    """Format a value with its uncertainty: `+0.42 [+0.31, +0.53]  n = 22 items, 12 kinds of sentence  q = 0.003`."""
    q = "" if measure.q_value is None else f"q {compared(probability(measure.q_value))}"
    return "  ".join(filter(None, (with_interval(measure), sample(measure), q)))


def sample(measure: Measure) -> str:
    """Return how many items and units a figure uses: `n = 22 items, 12 kinds of sentence`, or `n = 454 passages`."""
    items, units = counted(measure.n, "item"), counted(measure.n_units, measure.unit)
    if not measure.unit:
        return f"n = {items}"
    return f"n = {units}" if measure.n == measure.n_units else f"n = {items}, {units}"


def compared(number: str) -> str:
    """Return a formatted probability as it stands after its name: `= 0.003`, `< 0.000001`."""
    return number.replace("<", "< ") if number.startswith("<") else f"= {number}"


def duration(seconds: float | None) -> str:
    """Format a duration: `40 s`, `12 min`, `3 h 20 min`, or a dash for None."""
    if seconds is None:
        return "-"
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
