"""The sentence about a run that ended before its summary: its items are kept, and its figures are missing."""

from plumbline.audits.models import Run
from plumbline.audits.progress import progress
from plumbline.audits.states import RESUMABLE
from plumbline.results.models import Measure
from plumbline.spec.numbers import count


def ended_early(run: Run) -> str:
    """Return how many items of a run without measures were asked, or "" for a live, done or summarised run."""
    if run.state not in RESUMABLE or Measure.objects.filter(run=run.pk).exists():
        return ""
    found = progress(run)
    of = f" of {count(run.planned_items)}" if run.planned_items else ""
    parts = f"asked {count(found.asked)}, reused {count(found.reused)}"
    told = f"{count(found.stored)}{of} items are done and kept ({parts})." if found.stored else "No item was asked."
    return f"This run ended before it was summarised, so it has no figures yet. {told}"
