"""The runs on whose evidence people judged findings."""

from plumbline.audits.models import Run
from plumbline.findings.models import Finding


def kept_because(run: Run) -> str:
    """Return why a run is kept, or "": a judgement rests on its evidence."""
    judged = Finding.objects.filter(judged_run=run.pk).count()
    return f"judgements of {judged} findings rest on it" if judged else ""
