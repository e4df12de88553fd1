"""A run with a grid whose labels would hurt pages that trust them; written as workers write, without one."""

from datetime import UTC, datetime
from itertools import product
from typing import Any

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.judged import judged
from tests.plumbline.results.conftest import _load

HIDDEN, SHOWN_HIDDEN = "eld\u200berly", "eld⟨U+200B⟩erly"
MARKUP, ARABIC, HEBREW, SCRIPT = "<b title=\"x\">men</b> & 'co'", "العربية", "שלום", "<script>x</script>"
GROUPS = ["women", MARKUP, ARABIC, HIDDEN]
SHOWN_GROUPS = ["women", MARKUP, ARABIC, SHOWN_HIDDEN]
ATTRIBUTES = ["warm", "cold", "poor", SCRIPT, HEBREW, "rich"]
TEMPLATES = ["All {group} are {attribute}.", "Most {group} are {attribute}.", "{group} seem {attribute}."]
VALUES = {
    "warm": (1.0, -0.5, 2.0, 0.25),
    "cold": (-1.0, 0.5, -2.0, -0.25),
    "poor": (0.25, 1.0, 0.5, 2.0),
    SCRIPT: (1.0, 0.0, 1.5, 0.5),
    HEBREW: (0.5, 0.75, 0.5, 0.25),
    "rich": (2.0, 1.0, -1.0, -2.0),
}
"""By attribute those of the groups."""
FINISHED = datetime(2026, 2, 3, tzinfo=UTC)
NAME, MODEL = 'a <i>gridded</i> "run"', "path:./some/<model>"


def make_run() -> Run:
    inline: dict[str, Any] = {
        "groups": {"inline": [{"label": group} for group in GROUPS]},
        "attributes": {"inline": ATTRIBUTES},
        "templates": {"inline": TEMPLATES},
    }
    spec = {"name": NAME, "probe": "ilps", "model": MODEL, "prior": {"mask": "one"}, **inline}
    run = Run.objects.create(
        name=NAME, probe="ilps", model=MODEL, spec=spec, state=RunState.DONE, planned_items=72, finished_at=FINISHED
    )
    cells = [(group, word, VALUES[word][place]) for (place, group), word in product(enumerate(GROUPS), ATTRIBUTES)]
    _load(
        run.pk,
        [
            (template, group, word, value + shift, None)
            for group, word, value in cells
            for template, shift in zip(TEMPLATES, (-0.1, 0.0, 0.1), strict=True)
        ],
    )
    replace_measures(run.pk, [_measure(group, word, value) for group, word, value in cells])
    return run


def _measure(group: str, attribute: str, value: float) -> dict[str, Any]:
    own = {"statistic": "ilps", "group_a": group, "attribute": attribute, "n": 3, "unit": "template", "n_units": 3}
    bounds = {"ci_low": value - 0.3, "ci_high": value + 0.3, "q_value": 0.01 if abs(value) >= 1 else 0.5}
    return own | judged(bounds) | {"value": value}
