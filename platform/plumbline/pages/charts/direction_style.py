"""The style of signed numbers in tables: a mark of the sign that needs no colour, and one of four depths of colour."""

from dataclasses import dataclass

DEPTHS = 4


@dataclass(frozen=True, slots=True)
class Lean:
    """The style classes of a cell, and the mark of its sign."""

    classes: str
    mark: str


def lean(value: float | None, end: float) -> Lean:
    """Return the style of a value on a colour scale from -`end` to +`end`. An unknown value is hatched."""
    if value is None:
        return Lean("hatched", "")
    if value == 0:
        return Lean("", "")
    depth = min(DEPTHS, 1 + int(abs(value) / (end or 1.0) * DEPTHS))
    return Lean(f"lean {'more' if value > 0 else 'less'}-{depth}", "▲" if value > 0 else "▼")
