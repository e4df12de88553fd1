"""The caption of an image or file of a grid."""

from plumbline.audits.models import Run
from plumbline.pages.grid import Choice

CAVEAT = (
    "This says what the model associates, not what people are; a difference near zero is no proof of fairness, and"
    " other templates or words may show more."
)


def grid_caption(run: Run, choice: Choice) -> dict[str, str]:
    """Return the caption that an image or file of the grid must include."""
    finished = f"{run.finished_at:%Y-%m-%d}" if run.finished_at else "not finished"
    return {
        "title": f"{choice.title}: {run.name}",
        "run": str(run.pk),
        "model": run.model,
        "date": finished,
        "statistic": choice.statistic.name,
        "unit": choice.statistic.unit,
        "caveat": f"{choice.statistic.caveat} {CAVEAT}",
    }
