"""The runs on whose evidence people judged findings."""

from plumbline.audits.models import Run
from plumbline.findings.models import Finding
from plumbline.spec.numbers import counted


def kept_because(run: Run) -> str:
    """Return why a run is kept, or "": a judgement rests on its evidence."""
    judged = Finding.objects.filter(judged_run=run.pk).count()
    return f"judgements of {counted(judged, 'finding')} rest on it" if judged else ""
