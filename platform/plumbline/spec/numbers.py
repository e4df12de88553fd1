"""How numbers are written, on the console, in notices and in sentences: alike, and never alone."""

from plumbline.spec.measure import Measure


def number(value: float | None) -> str:
    """Two significant figures, sign shown; an undefined number is a dash."""
    return "-" if value is None else f"{value:+.2f}" if abs(value) >= 0.095 else f"{value:+#.2g}"


def probability(value: float | None) -> str:
    """Two significant figures; an undefined one is a dash, never a zero."""
    return "-" if value is None else f"{value:.2f}" if value >= 0.095 else f"{value:.2g}"


def with_interval(measure: Measure) -> str:
    """`+0.42 [+0.31, +0.53]`"""
    return f"{number(measure.value)} [{number(measure.ci_low)}, {number(measure.ci_high)}]"


def with_uncertainty(measure: Measure) -> str:
    """`+0.42 [+0.31, +0.53]  n = 96  q = 0.003`"""
    return f"{with_interval(measure)}  n = {measure.n}  q = {probability(measure.q_value)}"


def duration(seconds: float | None) -> str:
    """`40 s`, `12 min`, `3 h 20 min`; one that is not known is a dash."""
    if seconds is None:
        return "-"
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
