"""What readers expect of a cell before they see it: kept as it was said, shown beside the score, given away."""

import csv
import io
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.methods.indirect import beliefs_page
from plumbline.methods.indirect.beliefs import PriorBelief
from plumbline.methods.indirect.card import SCORE
from plumbline.pages.roles import VIEWER
from tests.plumbline.methods.conftest import MakeRun, measured
from tests.plumbline.methods.indirect.test_spec import SPEC

CELL = {"target": "nurse", "feature": "kind", "list": ""}
FORMULA = "=HYPERLINK(1)"


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    return make_run(SPEC, [measured(SCORE, 0.4, group_a="nurse", attribute="kind", unit="name", q_value=0.01)])


def keep(client: Client, run: Run, status: int = 200, **given: str) -> dict[str, Any]:
    found = client.post(reverse("indirect_belief_keep", args=[run.pk]), {**CELL, "expects": "together", **given})
    assert found.status_code == status, found.content
    return found.json()  # type: ignore[no-any-return]


def said(client: Client, run: Run, **where: str) -> dict[str, Any]:
    found = client.get(reverse("indirect_beliefs", args=[run.pk]), {**CELL, **where})
    return found.json()  # type: ignore[no-any-return]


def test_what_is_said_is_kept_with_model_person_and_time(viewer: Client, run: Run) -> None:
    keep(viewer, run, note="caring")
    kept = PriorBelief.objects.get()
    assert (kept.model, str(kept.person), kept.expects, kept.note) == (run.model, "viewer", "together", "caring")
    found = said(viewer, run)
    assert found["own"] == 1
    assert (found["beliefs"][0]["expects"], found["beliefs"][0]["own"]) == ("tied to the same first names", True)
    assert said(viewer, run, feature="old") == {"beliefs": [], "own": 1}


def test_nobody_can_change_a_belief_after_seeing_the_score(viewer: Client, run: Run) -> None:
    keep(viewer, run)
    assert "It cannot be changed" in keep(viewer, run, 400, expects="apart")["error"]
    assert PriorBelief.objects.get().expects == "together"


def test_others_are_after_ones_own(viewer: Client, run: Run) -> None:
    other = User.objects.create_user("reviewer")
    other.groups.add(Group.objects.get(name=VIEWER))
    client = Client()
    client.force_login(other)
    keep(client, run, expects="neither")
    keep(viewer, run)
    assert [one["who"] for one in said(viewer, run)["beliefs"]] == ["viewer", "reviewer"]
    assert [one["who"] for one in said(client, run)["beliefs"]] == ["reviewer", "viewer"]


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"expects": "magic"}, "expects: Select a valid choice"),
        ({"feature": "unheard of"}, "no such cell"),
        ({"list": "drinks"}, "no such cell"),
        ({"note": "x" * 501}, "note: Ensure"),
    ],
)
def test_what_cannot_be_kept_is_refused_in_words(viewer: Client, run: Run, given: dict[str, str], fault: str) -> None:
    assert fault in keep(viewer, run, 400, **given)["error"]
    assert not PriorBelief.objects.exists()


def test_one_person_says_so_much_of_a_run(viewer: Client, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beliefs_page, "MOST_BELIEFS", 0)
    assert "which is the limit" in keep(viewer, run, 400)["error"]


def test_strangers_say_nothing_and_links_keep_nothing(client: Client, viewer: Client, run: Run) -> None:
    assert client.post(reverse("indirect_belief_keep", args=[run.pk]), CELL).status_code == 302
    assert viewer.get(reverse("indirect_belief_keep", args=[run.pk])).status_code == 405
    client.force_login(User.objects.create_user("nobody"))
    assert client.post(reverse("indirect_belief_keep", args=[run.pk]), CELL).status_code == 403


def test_the_file_has_each_belief_with_its_score_and_no_formula(viewer: Client, run: Run) -> None:
    keep(viewer, run, note=FORMULA)
    found = viewer.get(reverse("indirect_beliefs_csv", args=[run.pk]))
    assert "attachment" in found["Content-Disposition"]
    (row,) = csv.DictReader(io.StringIO(found.content.decode()))
    assert (row["target"], row["expects"], row["person"]) == ("nurse", "together", "viewer")
    assert (float(row["score"]), float(row["q_value"])) == (0.4, 0.01)
    assert not row["note"].startswith("=")


def test_what_was_expected_outlives_the_person_but_not_the_run(viewer: Client, run: Run) -> None:
    keep(viewer, run)
    User.objects.all().delete()
    assert PriorBelief.objects.get().person is None
    run.delete()
    assert not PriorBelief.objects.exists()
