"""Error rates of a text classifier as rows of tables: rates of groups, differences, and what changed."""

from collections.abc import Sequence

from plumbline.spec.measure import Measure
from plumbline.spec.numbers import amount, number, probability

Row = tuple[str, ...]
RATE_HEADS = ("Rate", "Groups", "Value", "95% interval", "Kinds", "q", "Verdict")
CHANGE_HEADS = ("Difference", "Groups", "Before", "After", "Change", "95% interval", "Kinds", "q", "Verdict")


def rate_rows(rates: Sequence[Measure], differences: Sequence[Measure]) -> list[Row]:
    """Return the rows of one classifier: the rates of groups, then their differences."""
    return [*map(_row, (*rates, *differences))]


def change_rows(before: Sequence[Measure], after: Sequence[Measure], changed: Sequence[Measure]) -> list[Row]:
    """Return the rows of two classifiers: each difference before, after, and its change."""
    return [_change_row(*three) for three in zip(before, after, changed, strict=True)]


def _change_row(old: Measure, new: Measure, one: Measure) -> Row:
    sides = (f"{number(side.value)} {_limits(side)} {side.verdict}" for side in (old, new))
    _, groups, value, *rest = _row(one)
    return (_name(old), groups, *sides, value, *rest)


def _row(one: Measure) -> Row:
    groups = f"{one.group_a} - {one.group_b}" if one.group_b else one.group_a
    q = probability(one.q_value) if one.group_b else ""
    return _name(one), groups, _figure(one, one.value), _limits(one), str(one.n_units), q, one.verdict


def _figure(one: Measure, value: float | None) -> str:
    """Format a difference with its sign, a rate without."""
    return number(value) if one.group_b or value is None else amount(value)


def _name(one: Measure) -> str:
    return one.statistic.replace("_", " ").removesuffix(" change").removesuffix(" difference")


def _limits(one: Measure) -> str:
    return "-" if one.ci_low is None else f"[{_figure(one, one.ci_low)}, {_figure(one, one.ci_high)}]"
