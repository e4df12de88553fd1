"""Findings, decisions and people in a pack, and who gets one from the page."""

import io
import json
from collections.abc import Iterable
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from plumbline.accounts.models import Activity, ActivityEntry
from plumbline.audits.models import Run
from plumbline.findings.models import Comment, Finding, State, Vote
from plumbline.findings.updating import update
from plumbline.packing.pack import Choices, packed
from plumbline.pages.roles import VIEWER
from plumbline.spec.errors import InputError
from tests.plumbline.findings.audited import a_run, difference

pytestmark = [pytest.mark.django_db, pytest.mark.any_server]

SPEC = {
    "name": "weekly",
    "probe": "ilps",
    "model": "hub:org/m@a",
    "groups": [{"inline": [{"label": "women", "plural": "women"}, {"label": "men", "plural": "men"}]}],
    "prior": {"plural": "people"},
    "attributes": [{"inline": [{"text": "warm"}]}],
    "templates": [{"inline": ["{Group.plural} are {attribute}."]}],
}


@pytest.fixture
def run() -> Run:
    """A run of ada with one finding, which bob confirmed and commented on."""
    ada, bob = (User.objects.create_user(name) for name in ("ada", "bob"))
    made = a_run(difference("warm", 0.6), spec=SPEC, created_by=ada)
    update(made)
    finding = Finding.objects.get()
    Finding.objects.filter(pk=finding.pk).update(
        state=State.CONFIRMED, judged_by=bob, judged_name="bob", reason="It is plain."
    )
    Vote.objects.create(finding=finding, person=bob, person_name="bob", state=State.CONFIRMED)
    Comment.objects.create(finding=finding, author=bob, author_name="bob", text="See the templates.")
    return made


def contents(content: Iterable[bytes]) -> dict[str, Any]:
    with ZipFile(io.BytesIO(b"".join(content))) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".json")}


def test_decisions_are_in_it_and_people_have_numbers(run: Run) -> None:
    found = contents(packed(run, Choices()))
    (finding,) = found["findings.json"]
    assert (finding["state"], finding["reason"], finding["judged_by"]) == ("confirmed", "It is plain.", "person 2")
    assert finding["decisions"][0]["person"] == finding["comments"][0]["author"] == "person 2"
    assert finding["observed"]["value"] == 0.6
    assert found["run.json"]["launched_by"] == "person 1"
    assert not {"ada", "bob"} & set(json.dumps(found).replace('"', " ").split())
    assert any("The names of accounts" in sentence for sentence in found["manifest.json"]["left_out"])


def test_names_are_in_it_if_somebody_asks_for_them(run: Run) -> None:
    found = contents(packed(run, Choices(names=True)))
    assert (found["run.json"]["launched_by"], found["findings.json"][0]["judged_by"]) == ("ada", "bob")
    assert found["manifest.json"]["people"] == "names"


def test_a_run_that_is_not_done_is_refused_before_any_byte(run: Run) -> None:
    run.state = "failed"
    with pytest.raises(InputError, match="only a finished run"):
        packed(run, Choices())


def test_a_viewer_gets_it_from_the_page_and_the_log_says_so(run: Run) -> None:
    vera = User.objects.create_user("vera")
    client, address = Client(), reverse("run_pack", args=[run.pk])
    client.force_login(vera)
    assert client.post(address).status_code == 403
    vera.groups.set(Group.objects.filter(name=VIEWER))
    assert address in client.get(reverse("run", args=[run.pk])).text
    answer = client.post(address)
    assert f"run-{run.pk}-evidence.zip" in answer["Content-Disposition"]
    assert contents(iter(answer))["run.json"]["run"] == run.pk
    assert ActivityEntry.objects.filter(
        activity=Activity.EXPORT, about__contains="evidence.zip", person=vera.pk
    ).exists()
    assert client.get(address).status_code == 405
