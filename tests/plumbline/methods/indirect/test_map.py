"""The map of an indirect run's targets: what the page is told of it, and who may ask for what."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import MapRequest, Run
from plumbline.audits.questions import MOST_OPEN_MAPS
from plumbline.audits.states import WorkState
from plumbline.methods.indirect.card import SCORE
from tests.plumbline.methods.conftest import MARKED, MakeRun, measured
from tests.plumbline.methods.indirect.test_spec import SPEC

ASKED = {"method": "tsne", "parameter": "5", "seed": "1"}
PLACES = [[MARKED, 0.5, -1.0], ["nurse", 2.0, 3.0]]


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    return make_run(SPEC, [measured(SCORE, 0.4, group_a="nurse", attribute="kind", unit="name")])


def known(client: Client, run: Run, **changes: str) -> dict[str, Any]:
    found = client.get(reverse("indirect_map", args=[run.pk]), {**ASKED, **changes})
    assert found.status_code == 200, found.content
    return found.json()  # type: ignore[no-any-return]


def ask(client: Client, run: Run, status: int = 200, **changes: str) -> dict[str, Any]:
    found = client.post(reverse("indirect_map_ask", args=[run.pk], query={**ASKED, **changes}))
    assert found.status_code == status, found.content
    return found.json()  # type: ignore[no-any-return]


def test_a_map_that_nobody_asked_for_is_not_asked_for_by_looking(viewer: Client, run: Run) -> None:
    assert known(viewer, run) == {"state": "unasked"}
    assert not MapRequest.objects.exists()


def test_a_map_waits_is_told_that_no_worker_is_alive_and_is_kept(viewer: Client, run: Run) -> None:
    found = ask(viewer, run)
    assert found["state"] == "waiting"
    assert "no worker is alive" in found["nobody"]
    assert ask(viewer, run) == found == known(viewer, run)
    asked = MapRequest.objects.get()
    assert (asked.statistic, asked.category, asked.seed, str(asked.asked_by)) == (SCORE, "", 1, "viewer")
    MapRequest.objects.update(
        state=WorkState.DONE, positions=PLACES, features=3, features_left_out=1, told="", explained=[0.5, 0.25]
    )
    done = known(viewer, run)
    assert (done["state"], done["positions"], done["features"], done["explained"]) == ("done", PLACES, 3, [0.5, 0.25])


def test_why_there_is_no_map_is_reported_and_it_can_be_asked_for_again(viewer: Client, run: Run) -> None:
    ask(viewer, run)
    MapRequest.objects.update(state=WorkState.DONE, error="2 targets: this map needs 4 at least.")
    assert known(viewer, run) == {"state": "failed", "error": "2 targets: this map needs 4 at least."}
    assert ask(viewer, run)["state"] == "waiting"


@pytest.mark.parametrize(
    "wrong", [{"method": "magic"}, {"parameter": "1"}, {"parameter": "x"}, {"seed": "-1"}, {"seed": str(2**31)}]
)
def test_what_no_map_can_be_laid_out_by_is_refused_in_words(viewer: Client, run: Run, wrong: dict[str, str]) -> None:
    found = ask(viewer, run, 400, **wrong)
    assert next(iter(wrong)) in found["error"]
    assert not MapRequest.objects.exists()


def test_what_the_run_has_not_is_not_there(viewer: Client, run: Run) -> None:
    address = reverse("indirect_map_ask", args=[run.pk], query={**ASKED, "list": "drinks"})
    assert viewer.post(address).status_code == 404


def test_one_person_cannot_fill_the_workers_day(viewer: Client, run: Run) -> None:
    for seed in range(MOST_OPEN_MAPS):
        ask(viewer, run, seed=str(seed))
    assert "are still open" in ask(viewer, run, 409, seed="99")["error"]


def test_strangers_and_links_ask_for_nothing(client: Client, viewer: Client, run: Run) -> None:
    assert client.post(reverse("indirect_map_ask", args=[run.pk])).status_code == 302
    assert viewer.get(reverse("indirect_map_ask", args=[run.pk])).status_code == 405
