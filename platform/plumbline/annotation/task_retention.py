"""The runs from which annotation tasks were drawn."""

from plumbline.annotation.models import AnnotationTask
from plumbline.audits.models import Run


def kept_because(run: Run) -> str:
    """Return why a run is kept, or "": people annotate what it answered."""
    titles = AnnotationTask.objects.filter(run=run.pk).order_by("pk").values_list("title", flat=True)
    return f"annotation tasks rest on it: {', '.join(titles)}" if titles else ""
