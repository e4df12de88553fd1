"""A small run with a grid: two groups, three attributes, two templates; words that would hurt a page that trusts."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.pages.roles import VIEWER
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.judged import judged
from tests.plumbline.results.conftest import Load, load

__all__ = ["load"]

WOMEN, MEN = "women", "<b>men</b>"
WARM, COLD, FORMULA = "warm", "co\u200bld", "=1+1"
ALL, MOST = "All {group} are {attribute}.", "Most {group} are {attribute}."
UNKNOWN = "the tokenizer cannot spell it"
SPEC: dict[str, Any] = {
    "name": "a </script> run",
    "probe": "ilps",
    "model": "path:./some/dir",
    "groups": {"inline": [{"label": WOMEN}, {"label": MEN}]},
    "prior": {"mask": "one"},
    "attributes": {"inline": [WARM, COLD, FORMULA]},
    "templates": {"inline": [ALL, MOST]},
}
SCORES = {(WOMEN, WARM): (1.0, 2.0), (MEN, WARM): (-1.0, 0.5), (WOMEN, COLD): (0.25, 0.75), (MEN, COLD): (0.5, None)}


@pytest.fixture
def viewer(db: None) -> Client:
    user = User.objects.create_user("viewer")
    user.groups.add(Group.objects.get(name=VIEWER))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def run(load: Load) -> Run:
    return make_run(load)


def make_run(load: Load, **more: Any) -> Run:
    run = Run.objects.create(
        name=SPEC["name"], probe="ilps", model=SPEC["model"], spec=SPEC, state=RunState.DONE, **more
    )
    items = [
        (template, group, attribute, score, None if score is not None else UNKNOWN)
        for (group, attribute), scores in SCORES.items()
        for template, score in zip((ALL, MOST), scores, strict=True)
    ]
    items += [(ALL, group, FORMULA, None, UNKNOWN) for group in (WOMEN, MEN)]
    load(run.pk, items)
    replace_measures(run.pk, measures())
    return run


def measures() -> list[dict[str, Any]]:
    return [
        measure(WOMEN, WARM, 1.5, 0.01),
        measure(WOMEN, COLD, 0.5, 0.2),
        measure(WOMEN, FORMULA, None, None, n=0, reason=UNKNOWN),
        measure(MEN, WARM, -0.25, 0.5),
        measure(MEN, COLD, 0.5, 0.5, n=1),
        measure(MEN, FORMULA, None, None, n=0, reason=UNKNOWN),
        measure(WOMEN, WARM, 1.75, 0.03, statistic="ilps_difference", group_b=MEN),
        {"statistic": "scorable_share", "n": 5, "group_a": WOMEN, "value": 0.8},
        measure(WOMEN, "", 0.5, 0.2, statistic="ilps_difference", group_b=MEN),
        measure(WOMEN, WARM, 9.0, 0.2, template=ALL),
    ]


def measure(group: str, attribute: str, value: float | None, q: float | None, **more: Any) -> dict[str, Any]:
    bounds = {} if value is None else {"ci_low": value - 0.5, "ci_high": value + 0.5}
    own = {"statistic": "ilps", "group_a": group, "attribute": attribute, "value": value, "q_value": q, "n": 2}
    return judged(own | {"unit": "template", "n_units": 2} | bounds | more)
