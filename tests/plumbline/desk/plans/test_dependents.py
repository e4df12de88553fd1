"""Which plans use a list, and which of them ask a word of it."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from plumbline.audits.models import Plan
from plumbline.desk.plans.dependents import dependent_plans
from plumbline.vocab.models import Attribute, AttributeSet, Group, GroupList
from tests.plumbline.audits.conftest import SPEC
from tests.plumbline.audits.conftest import curated as curated

pytestmark = pytest.mark.django_db


def plan(name: str, **source: Any) -> Plan:
    spec = SPEC | {"attributes": [{"list": "jobs", **source}]}
    return Plan.objects.create(name=name, spec=spec)


@pytest.fixture
def clerk(curated: None) -> Attribute:
    """A word that somebody adds when the plans stand already."""
    return Attribute.objects.create(word_list=AttributeSet.objects.get(), text="clerk")


def test_a_plan_that_names_its_entries_leaves_a_later_one_out(clerk: Attribute) -> None:
    whole, part = plan("A whole list"), plan("Two words", only=["nurse", "usher"])
    found = dependent_plans("attributes", "jobs")
    assert [(one.plan, one.leaves_out("clerk"), one.leaves_out("nurse")) for one in found] == [
        (whole, False, False),
        (part, True, False),
    ]


def test_archived_invalid_and_other_plans_are_not_among_them(clerk: Attribute) -> None:
    plan("Archived")
    Plan.objects.update(archived_at=timezone.now())
    Plan.objects.create(name="Invalid", spec={"probe": "none"})
    Plan.objects.create(name="Other", spec=SPEC | {"attributes": {"inline": ["kind"]}})
    assert dependent_plans("attributes", "jobs") == []


def test_plans_of_one_list_read_it_once(clerk: Attribute) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            dependent_plans("attributes", "jobs")
        return len(captured)

    plan("first")
    few = queries()
    for number in range(9):
        plan(f"later {number}")
    assert queries() == few


def test_the_page_of_a_word_says_which_plans_ask_it(admin_client: Client, clerk: Attribute) -> None:
    plan("A whole list")
    part = plan("Two words", only=["nurse", "usher"])
    address = reverse("dependents", args=["attributes", "jobs"])
    page = admin_client.get(address, {"entry": clerk.pk}).content.decode()
    assert page.count('<span class="state">not asked</span>') == 1
    assert "Only 2 of the 3 entries of the list jobs. It leaves out <bdi>clerk</bdi>." in " ".join(page.split())
    form = {"field": "attributes", "list": "jobs", "entry": "clerk"}
    assert all(f'value="{value}"' in page for value in form.values())
    assert admin_client.post(reverse("plan_add_entry", args=[part.pk]), form).status_code == 302
    assert '<span class="state">not asked' not in admin_client.get(address, {"entry": clerk.pk}).content.decode()


def test_the_page_of_a_list_offers_to_ask_what_a_plan_leaves_out(admin_client: Client, clerk: Attribute) -> None:
    part = plan("Two words", only=["nurse", "usher"])
    page = admin_client.get(reverse("dependents", args=["attributes", "jobs"])).content.decode()
    assert f'action="{reverse("plan_add_entry", args=[part.pk])}"' in page
    assert 'value="clerk">Ask <bdi>clerk</bdi>' in page
    assert "each pair of groups" not in page


def test_the_page_of_a_list_of_groups_says_what_a_third_group_changes(
    admin_client: Client, clerk: Attribute, viewer: Client
) -> None:
    groups = {"groups": {"list": "gender", "only": ["women", "men"]}}
    Plan.objects.create(name="Two groups", spec=SPEC | groups)
    address = reverse("dependents", args=["groups", "gender"])
    assert "each pair of groups" not in admin_client.get(address).content.decode()
    Group.objects.create(word_list=GroupList.objects.get(), label="girls", plural="girls")
    text = " ".join(admin_client.get(address).content.decode().split())
    assert "compares each pair of groups" in text
    assert 'value="girls">Ask <bdi>girls</bdi> too</button>' in text
    assert "each pair of groups" not in viewer.get(address).content.decode()


def test_a_list_that_no_plan_uses_says_so(admin_client: Client, clerk: Attribute) -> None:
    page = admin_client.get(reverse("dependents", args=["attributes", "jobs"])).content.decode()
    assert "No plan uses this list yet." in page
