"""A finished run of a plan with its measures and records, and people of each role who look at it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from plumbline.audits.launching import launch_plan
from plumbline.audits.models import Plan, Run
from plumbline.audits.states import RunState
from plumbline.pages.roles import write_roles
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.judged import judged
from tests.plumbline.results.conftest import Item, _load

MARKED = "<script>alert(1)</script> \u0627\u0644\u0639\u0631\u0628\u064a\u0629"
"""A label with markup, in two directions."""
SPEC: dict[str, Any] = {
    "name": "traits & <co>",
    "probe": "ilps",
    "model": "bundled:none",
    "groups": {"inline": [{"label": "women", "plural": "women"}, {"label": MARKED, "plural": "arabs"}]},
    "prior": {"mask": "one"},
    "attributes": {"inline": ["kind", "cold"]},
    "templates": {"inline": ["{Group.plural} are {attribute}."]},
}
RECORDS: list[Item] = [
    ("{Group.plural} are {attribute}.", "women", "kind", 1.0, None),
    ("{Group.plural} are {attribute}.", "women", "cold", None, "several subwords"),
    ("{Group.plural} are {attribute}.", MARKED, "kind", 0.5, None),
    ("{Group.plural} are {attribute}.", MARKED, "cold", None, "several subwords"),
]

Finish = Callable[..., Run]
As = Callable[[str], Client]


@pytest.fixture
def plan(db: None) -> Plan:
    return Plan.objects.create(name="traits <plan>", spec=SPEC)


@pytest.fixture
def finish(plan: Plan) -> Finish:
    """finish(overall=0.25): one more run of the plan, done, with that overall difference."""
    return lambda overall=0.25: _finished(plan, overall)


@pytest.fixture
def done(finish: Finish) -> Run:
    return finish()


def _finished(plan: Plan, overall: float) -> Run:
    run = launch_plan(plan)
    run.phases.update(state="done")
    Run.objects.filter(pk=run.pk).update(state=RunState.DONE, planned_items=len(RECORDS))
    _load(run.pk, RECORDS)
    replace_measures(run.pk, measures(overall))
    run.refresh_from_db()
    return run


def measures(overall: float = 0.25) -> list[dict[str, Any]]:
    contrast = {"statistic": "ilps_difference", "group_a": "women", "group_b": MARKED, "n": 12, "n_units": 6}
    contrast |= {"unit": "kind of sentence"}
    return [
        contrast | cell("kind", 1.25, 0.003),
        contrast | cell("cold", -0.75, 0.2),
        contrast | judged({"value": overall, "ci_low": overall - 0.1, "ci_high": overall + 0.1, "q_value": 0.04}),
        contrast | cell("kind", 1.5, 0.01) | {"statistic": "ilps_difference_centred"},
        {"statistic": "scorable_share", "group_a": "women", "value": 0.5, "n": 2, "reason": "a share"},
        {"statistic": "scorable_share", "group_a": MARKED, "value": 0.25, "n": 2, "reason": "a share"},
    ]


def cell(attribute: str, value: float, q: float) -> dict[str, Any]:
    bounds = {"ci_low": value - 0.5, "ci_high": value + 0.5}
    return judged({"attribute": attribute, "value": value, "q_value": q} | bounds)


@pytest.fixture
def as_(db: None) -> As:
    """as_("viewer"): the browser of somebody with this role; "" has an account and no role."""
    write_roles()

    def browser(role: str) -> Client:
        user = User.objects.create(username=role or "nobody")
        if role:
            user.groups.add(Group.objects.get(name=role))
        client = Client()
        client.force_login(user)
        return client

    return browser


@pytest.fixture
def viewer(as_: As) -> Client:
    return as_("viewer")


@pytest.fixture
def auditor(as_: As) -> Client:
    return as_("auditor")
