"""A cell of a grid as one line of text, for copying."""

from plumbline.audits.models import Run
from plumbline.pages.visible import visible
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import with_uncertainty


def cell_text(words: str, measure: Measure, statistic: str, unit: str, run: Run) -> str:
    """Return the line: which words, their measure or why there is none, and where it is from."""
    told = f"not scorable, {measure.reason}" if measure.value is None else with_uncertainty(measure)
    return visible(f"{words}: {told}; {statistic}, {unit}; run {run.pk}, {run.subject}")
