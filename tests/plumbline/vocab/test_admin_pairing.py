"""The page that makes pairs of groups."""

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from plumbline.vocab.models import Group, GroupList
from tests.plumbline.vocab.some_seeds import load_seeds

pytestmark = pytest.mark.django_db

ASKED = {"groups": "abc-groups", "others": "", "rules": "abc-pairings", "into": "pairs", "title": "All pairs"}


@pytest.fixture(autouse=True)
def _starter(db: None) -> None:
    load_seeds("abc-groups", "pronouns", "abc-pairings")


def shown(client: Client, **changed: str) -> str:
    return client.post(reverse("admin:vocab_grouplist_pair"), ASKED | changed, follow=True).content.decode()


def seen_in(page: str) -> str:
    found = re.search(r'name="seen" value="(\w+)"', page)
    assert found
    return found[1]


def test_a_group_list_leads_to_the_page_and_other_lists_do_not(admin_client: Client) -> None:
    groups = GroupList.objects.get(slug="abc-groups")
    page = admin_client.get(reverse("admin:vocab_grouplist_change", args=[groups.pk])).content.decode()
    assert f"{reverse('admin:vocab_grouplist_pair')}?groups=abc-groups" in page
    assert admin_client.get(reverse("admin:vocab_grouplist_pair") + "?groups=abc-groups").status_code == 200


def test_the_pairs_are_shown_with_what_is_left_out_and_nothing_is_made(admin_client: Client) -> None:
    page = shown(admin_client)
    assert "cis men" in page
    assert "left out: <bdi>contradict each other</bdi>" in page
    assert not GroupList.objects.filter(slug="pairs").exists()


def test_the_previewed_pairs_are_created(admin_client: Client) -> None:
    page = shown(admin_client, make="yes", seen=seen_in(shown(admin_client)))
    assert "Made pairs: " in page
    made = GroupList.objects.get(slug="pairs")
    assert made.title == "All pairs"
    assert made.entries.get(label="Latinas").components == ["Hispanic people", "women"]


def test_pairs_without_a_preview_are_not_created(admin_client: Client) -> None:
    seen = seen_in(shown(admin_client))
    Group.objects.filter(word_list__slug="abc-groups", label="teenagers").update(modifier="adolescent")
    assert "Somebody changed the lists meanwhile" in shown(admin_client, make="yes", seen=seen)
    assert not GroupList.objects.filter(slug="pairs").exists()


def test_a_fault_is_reported_on_the_page(admin_client: Client) -> None:
    assert "no pair can be made of pronouns" in shown(admin_client, groups="pronouns")


def test_who_may_only_look_may_not_pair(client: Client) -> None:
    user = User.objects.create_user("viewer", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(user)
    assert client.get(reverse("admin:vocab_grouplist_pair")).status_code == 403
