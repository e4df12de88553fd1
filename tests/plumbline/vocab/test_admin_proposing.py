"""A curator chooses a table of births, sees the names that it proposes, ticks some, and makes a list of them."""

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from plumbline.vocab.models import Name, NameList
from plumbline.vocab.models.recorded import EVENTS
from tests.plumbline.vocab.proposals.some_tables import TABLE
from tests.plumbline.vocab.some_seeds import load_seeds

pytestmark = pytest.mark.django_db
PROPOSE = "admin:vocab_namelist_propose"


@pytest.fixture
def curator(admin_client: Client) -> Client:
    """With a table chosen."""
    page = send(admin_client, TABLE)
    assert "births.csv" in page
    return admin_client


def send(client: Client, data: bytes) -> str:
    file = SimpleUploadedFile("births.csv", data)
    return client.post(reverse("admin:vocab_namelist_table"), {"file": file}, follow=True).content.decode()


def accepted(client: Client, names: list[str], into: str = "mine", query: str = "") -> str:
    sent = {"name": names, "into": into, "title": "Mine"}
    return client.post(reverse(PROPOSE) + query, sent, follow=True).content.decode()


def test_the_lists_of_names_lead_to_the_page(admin_client: Client) -> None:
    page = reverse("admin:vocab_namelist_table")
    assert page in admin_client.get(reverse("admin:vocab_namelist_changelist")).content.decode()
    assert page not in admin_client.get(reverse("admin:vocab_grouplist_changelist")).content.decode()


def test_proposed_names_are_compared_with_the_published_ones_and_nothing_is_written(curator: Client) -> None:
    load_seeds("sodapop-names")
    page = curator.get(reverse(PROPOSE)).content.decode()
    assert 'value="Minh" aria-label="accept Minh" checked' in page
    assert 'value="Ana"' not in page
    assert "Hispanic men</bdi>: 1 of the published list, 0 others, 29 published that are not proposed" in page
    assert "only published: <bdi>not in the table</bdi>" in page
    assert NameList.objects.count() == 1


def test_the_page_draws_how_many_names_each_group_has_whatever_the_thresholds(curator: Client) -> None:
    for query in ({}, {"race": "1", "gender": "1", "count": "50", "races": ["EA"], "beside": ""}):
        page = " ".join(curator.get(reverse(PROPOSE), query).content.decode().split()).replace("> <", "><")
        assert "<td>Hispanic women</td><td>2</td><td><svg" in page
        assert page.count('width="240.0" height="12"') == 2  # of Hispanic women and men, who have the most names
        assert page.count('width="120.0" height="12"') == 3


def test_other_thresholds_propose_other_names_and_low_shares_are_flagged(curator: Client) -> None:
    asked = {"race": "0.8", "gender": "0.5", "count": "1", "races": ["HS", "AA"], "beside": ""}
    page = curator.get(reverse(PROPOSE), asked).content.decode()
    assert all(f'value="{name}"' in page for name in ("Ana", "Noel", "Iker", "McKay"))
    assert page.count("(low share)") == 2
    assert 'value="Minh"' not in page


def test_what_is_ticked_becomes_a_list_with_its_source_and_history(curator: Client) -> None:
    assert "Made mine: new, 1 entry." in accepted(curator, ["Minh"])
    made = NameList.objects.get(slug="mine")
    assert (made.title, [name.name for name in made.rows()]) == ("Mine", ["Minh"])
    assert made.source.startswith("births.csv, births of 2012 to 2015: names with Proportion_r >= 1")
    assert made.frequency_source == "births.csv: children of that name born 2012 to 2015"
    event = EVENTS[Name].objects.get(name="Minh")
    assert event.pgh_context.metadata["username"] == "admin"
    assert "choose it again" in curator.get(reverse(PROPOSE), follow=True).content.decode()


@pytest.mark.parametrize(
    ("names", "into", "told"),
    [
        (["Minh", "Ana"], "mine", "Not all names that you ticked are proposed"),
        ([], "mine", "no name is chosen"),
        (["Minh"], "taken", "there is a list &#x27;taken&#x27; already"),
        (["Minh"], "no slug", "Enter a valid"),
    ],
)
def test_what_cannot_be_made_is_reported(curator: Client, names: list[str], into: str, told: str) -> None:
    NameList.objects.create(slug="taken", title="Taken")
    assert told in accepted(curator, names, into)
    assert NameList.objects.count() == 1


def test_the_thresholds_of_the_page_decide_what_may_be_ticked(curator: Client) -> None:
    query = "?race=0.8&gender=1&count=1&races=HS&races=AS&beside="
    assert "Made mine: new, 2 entries." in accepted(curator, ["Minh", "Ana"], query=query)
    send(curator, TABLE)
    assert "Ensure this value is less than or equal to 1" in accepted(curator, [], query=query.replace("0.8", "8"))


def test_a_faulty_table_is_reported_line_by_line_and_not_kept(admin_client: Client) -> None:
    page = send(admin_client, TABLE + b"2013,OTHER,HISPANIC,Ana,4,1\n2013,MALE,<b>,Ana,4,1\n")
    assert "line 14: unknown gender" in page
    assert "line 15: unknown ethnicity &#x27;&lt;B&gt;&#x27;" in page
    assert "No table waits" in admin_client.get(reverse(PROPOSE), follow=True).content.decode()


def test_more_names_than_a_page_can_take_are_not_shown(curator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.vocab.admin.proposing.MOST_NAMES", 1)
    page = curator.get(reverse(PROPOSE)).content.decode()
    assert "The table proposes more than the 1 names" in page
    assert 'value="Minh"' not in page


def test_who_may_only_look_may_not_propose(client: Client) -> None:
    user = User.objects.create_user("viewer", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(user)
    assert client.get(reverse("admin:vocab_namelist_table")).status_code == 403
    assert client.post(reverse(PROPOSE), {"name": ["Minh"], "into": "mine"}).status_code == 403
