"""The pages of the probes that score groups with attributes."""

from plumbline.analyses.alignment.tabs import TABS as ALIGNMENT
from plumbline.analyses.intersections.tabs import TABS as INTERSECTIONS
from plumbline.analyses.word_sets.tabs import TABS as WORD_SETS
from plumbline.audits.models import Run
from plumbline.methods.association.sensitivity_test import CARD as SENSITIVITY_TEST
from plumbline.pages.readings import LOG_P, Reading
from plumbline.pages.tabs import MethodPages, Tab

DISTANCE = Reading("distance", "least change of the last layer that puts the word on top, squared Frobenius norm")
NORM = Reading("distance", "least change of the last layer that puts the word on top, Frobenius norm")


def _reading(run: Run) -> Reading:
    """Return the distance of the sensitivity test, squared or not according to the run's params, else log p."""
    if run.probe != SENSITIVITY_TEST.probe:
        return LOG_P
    params: dict[str, object] = run.spec.get("params") or {}
    return NORM if params.get("variant") == "released_code" else DISTANCE


PREFERENCE = Tab(
    "preference",
    "Preference",
    "run_preference",
    ("attribute_preference",),
    purpose="Which of two attributes the model prefers for each group.",
)
PAGES = MethodPages((*ALIGNMENT, *INTERSECTIONS, *WORD_SETS, PREFERENCE), reading=_reading)
