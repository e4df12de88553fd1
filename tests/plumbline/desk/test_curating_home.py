"""Curating's home: lists, changes, tasks, and tables for admins only."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from plumbline.vocab.models import Group, GroupList, Name, NameList
from tests.plumbline.vocab.test_exchange import confirm, person, upload

pytestmark = pytest.mark.django_db

HOME = "/admin/"


@pytest.fixture
def lists(db: None) -> tuple[NameList, GroupList]:
    """A list of three names, and one social group without a plural."""
    names = NameList.objects.create(slug="staff", title="The staff")
    Name.objects.bulk_create(Name(word_list=names, name=name) for name in ("Anna", "Ben", "Cleo"))
    groups = GroupList.objects.create(slug="guilds", title="Guilds")
    Group.objects.create(word_list=groups, label="potters", singular="potter")
    return names, groups


def home(client: Client, role: str) -> Any:
    return person(client, role=role).get(HOME)


def test_each_list_has_its_size_and_its_last_change_with_its_author(client: Client, lists: Any) -> None:
    curator = person(client, role="curator")
    confirm(curator, upload(curator, "name\nDora\n", word_list="staff", mode="update"))
    shown = curator.get(HOME)
    row = next(row for row in shown.context["lists"] if row.slug == "staff")
    assert (row.kind, row.size, row.who) == ("names", 4, "curator")
    assert f'href="/admin/vocab/namelist/{lists[0].pk}/change/"' in shown.content.decode()


def test_the_latest_changes_stand_first_with_their_import(client: Client, lists: Any) -> None:
    curator = person(client, role="curator")
    confirm(curator, upload(curator, "name\nDora\n", word_list="staff", mode="update"))
    first = curator.get(HOME).context["recent"][0]
    assert (first.change.row, first.change.who, first.change.file) == ("Dora", "curator", "words.csv")


def test_what_waits_for_curators_is_named_and_leads_to_it(client: Client, lists: Any) -> None:
    GroupList.objects.create(slug="none", title="Nobody")
    tasks = {task.text: task.address for task in home(client, "curator").context["tasks"]}
    assert tasks["Guilds: 1 social group without a plural."] == f"/admin/vocab/grouplist/{lists[1].pk}/change/"
    assert "Nobody has no words." in tasks


def test_an_empty_installation_says_what_will_stand_there(client: Client, db: None) -> None:
    shown = home(client, "curator").content.decode()
    assert "There is no list yet" in shown
    assert "No change is recorded yet" in shown


def test_technical_tables_are_for_admins_alone(client: Client, lists: Any) -> None:
    shown = home(client, "curator").content.decode()
    assert "/admin/audits/snapshot/" not in shown
    assert "/admin/axes/accessattempt/" not in shown
    client.logout()
    assert "/admin/audits/snapshot/" in home(client, "admin").content.decode()


def test_the_home_asks_no_more_for_more_lists(client: Client, lists: Any) -> None:
    curator = person(client, role="curator")

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert curator.get(HOME).status_code == 200
        return len(captured)

    def add(number: int) -> None:
        made = NameList.objects.create(slug=f"more-{number}", title="More")
        Name.objects.create(word_list=made, name="Zoe")

    for number in range(6):
        add(number)
    few = queries()
    for number in range(6, 12):
        add(number)
    assert queries() <= few
