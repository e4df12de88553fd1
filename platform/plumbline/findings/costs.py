"""Sentences on what a mitigation costs: a figure of quality before and after it, by the verdict of its change."""

from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import Verdict


def accuracy_change(what: str, one: Measure) -> str:
    """Return the sentence on the change of an accuracy, in percentage points. `what` begins the sentence."""
    if one.value is None:
        return f"{what}: nothing can be said of the change: {one.reason}."
    figures = _between(*(None if it is None else 100 * it for it in (one.value, one.ci_low, one.ci_high)))
    margin = f"{100 * (one.smallest_effect or 0.0):g} percentage points"
    return cost_sentence(what, "lower" if one.value < 0 else "higher", f"{figures} percentage points", margin, one)


def cost_sentence(what: str, direction: str, figures: str, margin: str, one: Measure) -> str:
    """Return the sentence that a verdict allows on a change: `figures` say how much, `margin` what matters."""
    if one.verdict == Verdict.PRESENT:
        return f"{what} is {direction} in the later run: {figures}."
    if one.verdict == Verdict.ABSENT:
        return f"{what} is shown to change by less than {margin}: {figures}."
    if one.verdict == Verdict.NOT_TESTABLE:
        return f"{what}: {one.reason or 'too few units'}, so nothing is said of a change: {figures}."
    return f"It is undecided whether {what[:1].lower()}{what[1:]} changes: {figures}."


def _between(value: float | None, low: float | None, high: float | None) -> str:
    interval = "(no interval)" if low is None or high is None else f"[{low:+.1f}, {high:+.1f}]"
    return f"{value:+.1f} {interval}"
