"""How numbers are written, on the console, in notices and in sentences: alike, and never alone."""

from plumbline.spec.measure import Measure

ROUNDING = 1e-12
"""Below this a figure is what is left of sums that cancel, which is zero."""


def number(value: float | None) -> str:
    """Two significant figures, sign shown; zero has no sign, and an undefined number is a dash."""
    if value is None or abs(value) < ROUNDING:
        return "-" if value is None else "0"
    return f"{value:+.2f}" if abs(value) >= 0.095 else f"{value:+#.2g}"


def count(of: int | None) -> str:
    """`1,000,000`; one that is not known is a dash."""
    return "-" if of is None else f"{of:,}"


def probability(value: float | None) -> str:
    """Two significant figures; an undefined one is a dash, never a zero."""
    return "-" if value is None else f"{value:.2f}" if value >= 0.095 else f"{value:.2g}"


def with_interval(measure: Measure) -> str:
    """`+0.42 [+0.31, +0.53]`"""
    return f"{number(measure.value)} [{number(measure.ci_low)}, {number(measure.ci_high)}]"


def with_uncertainty(measure: Measure) -> str:
    """`+0.42 [+0.31, +0.53]  n = 1,881  q = 0.003`"""
    return f"{with_interval(measure)}  n = {count(measure.n)}  q = {probability(measure.q_value)}"


def duration(seconds: float | None) -> str:
    """`40 s`, `12 min`, `3 h 20 min`; one that is not known is a dash."""
    if seconds is None:
        return "-"
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
