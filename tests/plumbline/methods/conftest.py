"""Runs with the measures of one method each, and somebody who looks at them."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.pages.roles import VIEWER
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.judged import judged
from tests.plumbline.results.conftest import load

__all__ = ["load"]

MARKED = "<b>men</b>"
ALL = "All {group} are {attribute}."
WEAT: dict[str, Any] = {
    "name": "weat",
    "probe": "weat",
    "model": "bundled:none",
    "targets_x": {"inline": ["math", "algebra", "calculus"]},
    "targets_y": {"inline": ["art", "dance"]},
    "attributes_a": {"inline": ["he", "him"]},
    "attributes_b": {"inline": ["she", "her"]},
    "templates": {"inline": ["{target} likes {attribute}."]},
}
PAIRS: dict[str, Any] = {
    "name": "pairs",
    "probe": "ilps",
    "model": "bundled:none",
    "groups": {
        "inline": [
            {"label": MARKED, "domain": "Gender"},
            {"label": "poor people", "domain": "Class"},
            {"label": "Black people", "domain": "Race"},
            {"label": "poor men", "components": ["poor people", MARKED]},
            {"label": "Black men", "components": ["Black people", MARKED]},
        ]
    },
    "prior": {"mask": "one"},
    "attributes": {"inline": ["warm", "cold"]},
    "templates": {"inline": [ALL]},
}
PREFERENCE: dict[str, Any] = {
    "name": "preference",
    "probe": "log_probability",
    "model": "bundled:none",
    "groups": {"inline": [{"label": "he"}, {"label": "she"}]},
    "attributes": {"inline": ["nurse"]},
    "templates": {"inline": ["{group} is {attribute}."]},
}
CEAT: dict[str, Any] = {
    "name": "ceat",
    "probe": "ceat",
    "model": "bundled:none",
    "corpus": "path:/nowhere",
    "groups": {"inline": [{"label": "women"}, {"label": MARKED}]},
    "attributes": {
        "inline": [
            {"text": "cold", "pair": "cold - warm", "pole": "left"},
            {"text": "warm", "pair": "cold - warm", "pole": "right"},
        ]
    },
}

GAP: dict[str, Any] = {
    "name": "gap",
    "probe": "gap",
    "model": "bundled:none",
    "bank": {
        "inline": [
            {
                "id": f"p{number}",
                "text": f"<i>Ann</i> met Eve when {pronoun} left.",
                "pronoun": pronoun,
                "pronoun_offset": 24,
                "a": "Ann",
                "a_offset": 3,
                "a_coref": number == 0,
                "b": "Eve",
                "b_offset": 15,
                "b_coref": False,
            }
            for number, pronoun in enumerate(["she", "he", "she"])
        ]
    },
}

MakeRun = Callable[..., Run]
See = Callable[..., str]


def measured(statistic: str, value: float | None, **more: Any) -> dict[str, Any]:
    """A measure with an interval of one half to either side."""
    bounds = {} if value is None else {"ci_low": value - 0.5, "ci_high": value + 0.5}
    own = {"statistic": statistic, "value": value, "n": 12, "n_units": 6, "unit": "template"}
    return judged(own | bounds | more)


@pytest.fixture
def make_run(db: None) -> MakeRun:
    """make_run(spec, measures): a run that is done."""

    def make(spec: dict[str, Any], measures: Sequence[dict[str, Any]]) -> Run:
        named = {key: spec[key] for key in ("name", "probe", "model")}
        run = Run.objects.create(spec=spec, state=RunState.DONE, **named)
        replace_measures(run.pk, measures)
        return run

    return make


@pytest.fixture
def viewer(db: None) -> Client:
    user = User.objects.create_user("viewer")
    user.groups.add(Group.objects.get(name=VIEWER))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def see(viewer: Client) -> See:
    """see("run_effects", run): the page as text."""

    def page(name: str, run: Run, /, *more: str, **query: str) -> str:
        response = viewer.get(reverse(name, args=[run.pk, *more]), query)
        assert response.status_code == 200, response.status_code
        return response.content.decode()

    return page
