"""What a plan holds, what it leaves out, and how its versions differ, in words."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group as AuthGroup
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from plumbline.audits import clock
from plumbline.audits.models import Plan
from plumbline.desk.plans.changes import spec_changes
from plumbline.desk.plans.versions import versions
from plumbline.vocab.models import Group, GroupList
from tests.plumbline.desk.runs.conftest import SPEC


@pytest.fixture
def restricted(plan: Plan) -> Plan:
    """A plan that takes two groups of a list of three."""
    gender = GroupList.objects.create(slug="genders", title="Genders")
    for label in ("women", "men", "girls"):
        Group.objects.create(word_list=gender, label=label, plural=label)
    plan.spec = SPEC | {"groups": {"list": "genders", "only": ["women", "men"]}}
    plan.save()
    return plan


def contents(client: Client, plan: Plan) -> str:
    return " ".join(client.get(reverse("plan_contents", args=[plan.pk], query={"part": 1})).content.decode().split())


def test_a_plan_says_which_entries_it_uses_and_leaves_out(viewer: Client, restricted: Plan) -> None:
    page = contents(viewer, restricted)
    assert "Only 2 of the 3 entries of the list <a" in page
    assert "The list genders has 1 entry that this plan leaves out:" in page
    assert "2 entries written in the plan itself." in page
    assert "<button" not in page


def test_the_name_of_a_list_links_to_its_page(viewer: Client, restricted: Plan) -> None:
    address = reverse("admin:vocab_grouplist_change", args=[GroupList.objects.get(slug="genders").pk])
    assert f'of the list <a href="{address}"><bdi>genders</bdi></a>.' in contents(viewer, restricted)
    assert viewer.get(address).status_code == 200


def test_people_who_may_not_see_a_list_read_its_name_without_a_link(viewer: Client, restricted: Plan) -> None:
    AuthGroup.objects.get(name="viewer").permissions.remove(Permission.objects.get(codename="view_grouplist"))
    page = contents(viewer, restricted)
    assert "Only 2 of the 3 entries of the list genders." in page
    assert "grouplist" not in page


def test_a_plan_that_asks_a_removed_entry_says_so_wherever_somebody_may_look(auditor: Client, restricted: Plan) -> None:
    Plan.objects.create(name="A whole list", spec=SPEC | {"groups": {"list": "genders"}})
    Group.objects.get(label="women").delete()
    told = "The plan asks women, which the list genders does not have. It cannot be launched."
    page = contents(auditor, restricted)
    assert told in page
    assert "The plan names 1 entry of the list <a" in page
    assert "</a>, and 1 entry that it does not have." in page
    sensitivity = auditor.get(reverse("plan_sensitivity", args=[restricted.pk])).content.decode()
    assert "This plan cannot be launched: list &#x27;genders&#x27; has no entry &#x27;women&#x27;" in sensitivity
    assert "It is not known" not in sensitivity
    plans = auditor.get(reverse("dependents", args=["groups", "genders"])).content.decode()
    assert told in plans
    assert plans.index(restricted.name.replace("<", "&lt;").replace(">", "&gt;")) < plans.index("A whole list")


@pytest.mark.parametrize("name", ["plan_contents", "plan_sensitivity"])
def test_only_the_script_of_the_plan_s_page_gets_a_part_without_menu(
    viewer: Client, restricted: Plan, name: str
) -> None:
    address = reverse(name, args=[restricted.pk])
    whole, part = (viewer.get(one).content.decode() for one in (address, f"{address}?part=1"))
    assert part in whole
    assert "<html" in whole
    assert f'<a href="{reverse("plan", args=[restricted.pk])}">' in whole
    assert "<html" not in part
    assert f'data-fragment="{address}?part=1"' in viewer.get(reverse("plan", args=[restricted.pk])).content.decode()


def test_a_button_adds_what_the_plan_leaves_out(auditor: Client, restricted: Plan) -> None:
    page = contents(auditor, restricted)
    assert 'value="girls">Ask <bdi>girls</bdi> too</button>' in page
    assert "<details" not in page
    given = {"field": "groups", "list": "genders", "entry": "girls"}
    auditor.post(reverse("plan_add_entry", args=[restricted.pk]), given)
    restricted.refresh_from_db()
    assert restricted.spec["groups"]["only"] == ["women", "men", "girls"]
    page = contents(auditor, restricted)
    assert "Groups, the list genders: added girls." in page
    assert "3 entries of the list <a" in page
    assert "</a>, named in the plan. Entries that are added to the list later are not asked." in page
    assert "All 3 entries" not in page
    assert "leaves out" not in page


def test_a_third_group_that_a_button_adds_keeps_the_earlier_comparison(auditor: Client, restricted: Plan) -> None:
    effect = "The plan then compares each pair of groups, so that it still compares women with men."
    assert effect in contents(auditor, restricted)
    given = {"field": "groups", "list": "genders", "entry": "girls"}
    page = auditor.post(reverse("plan_add_entry", args=[restricted.pk]), given, follow=True).content.decode()
    assert effect in page
    restricted.refresh_from_db()
    assert restricted.spec["params"]["contrasts"] == "pairs"


def test_a_fourth_group_joins_the_others_with_which_each_group_is_compared(auditor: Client, restricted: Plan) -> None:
    Group.objects.create(word_list=GroupList.objects.get(), label="boys", plural="boys")
    restricted.spec["groups"]["only"].append("girls")
    restricted.save()
    assert "That mean then includes the new group." in contents(auditor, restricted)
    given = {"field": "groups", "list": "genders", "entry": "boys"}
    auditor.post(reverse("plan_add_entry", args=[restricted.pk]), given)
    restricted.refresh_from_db()
    assert "contrasts" not in restricted.spec.get("params", {})


def test_a_launch_names_what_the_list_got_since_and_not_what_somebody_left_out(
    auditor: Client, restricted: Plan
) -> None:
    address, seen = reverse("plan_launch", args=[restricted.pk]), {"seen": "1"}
    for saved, told in ((clock.now(), False), (clock.now() - timedelta(hours=1), True)):
        Plan.objects.filter(pk=restricted.pk).update(modified_at=saved)
        page = auditor.post(address, seen, follow=True).content.decode()
        assert "Launched as run" in page
        assert ("Since this plan was saved, the list genders has girls: this plan leaves that out." in page) is told


@pytest.mark.parametrize(
    "given", [("groups", "genders", "boys"), ("groups", "genders", "men"), ("name", "genders", "girls"), ("", "", "")]
)
def test_nothing_else_is_added(auditor: Client, restricted: Plan, given: tuple[str, str, str]) -> None:
    before = restricted.spec
    data = dict(zip(("field", "list", "entry"), given, strict=True))
    page = auditor.post(reverse("plan_add_entry", args=[restricted.pk]), data, follow=True).content.decode()
    restricted.refresh_from_db()
    assert restricted.spec == before
    assert "Nothing is added" in page


def test_an_invalid_plan_says_what_is_wrong(viewer: Client, plan: Plan) -> None:
    Plan.objects.update(spec={"probe": "gone"})
    assert "unknown probe" in contents(viewer, plan)


def test_each_version_of_a_plan_says_what_changed(auditor: Client, plan: Plan) -> None:
    auditor.post(reverse("plan_archive", args=[plan.pk]), {"archive": "1"})
    plan.refresh_from_db()
    assert plan.archived_at
    assert [version.changes for version in versions(plan)] == [("Archived.",), ("First version.",)]
    plan.name, plan.description, plan.archived_at = "traits", "All of them", None
    plan.save()
    assert versions(plan)[0].changes == (
        "Name: changed from traits <plan> to traits.",
        "The description changed.",
        "Brought back from the archive.",
    )


def test_changes_are_sentences() -> None:
    new = SPEC | {"prior": {"mean": True}, "groups": {"list": "genders"}, "seed": 3, "params": {"resamples": 500}}
    assert spec_changes(SPEC, new) == [
        "Groups: the list genders added.",
        "Groups: entries of the plan itself removed.",
        "Prior: mean: set to yes.",
        "Prior: mask: one taken out.",
        "Seed: set to 3.",
        "Params: resamples: set to 500.",
    ]


def test_the_compared_groups_change_in_words() -> None:
    pairs, rest = ({"params": {"contrasts": name, "level": 0.95}} for name in ("pairs", "rest"))
    assert spec_changes({}, {"params": {"contrasts": "pairs"}}) == ["Compares each pair of groups."]
    assert spec_changes(pairs, rest) == ["Compares each group with the mean of the others."]
    assert spec_changes(pairs, {"params": {"level": 0.9}}) == [
        "Compares two groups with each other, or each of more groups with the mean of the others.",
        "Params: level: changed from 0.95 to 0.9.",
    ]


def test_a_part_of_a_list_is_counted_and_named() -> None:
    old = {"groups": {"inline": ["women"]}}
    part = {"groups": [{"inline": ["women"]}, {"list": "genders", "only": ["girls"]}]}
    many = {"groups": [{"inline": ["women"]}, {"list": "names", "only": [f"n{at}" for at in range(14)]}]}
    assert spec_changes(old, part) == ["Groups: 1 entry of the list genders added (girls)."]
    assert spec_changes(part, old) == ["Groups: 1 entry of the list genders removed (girls)."]
    (change,) = spec_changes(old, many)
    assert change.startswith("Groups: 14 entries of the list names added (n0, n1, ")
    assert change.endswith(", n11 and 2 more).")


def test_entries_are_named() -> None:
    old = {"groups": {"list": "genders", "only": ["women", "men"]}, "attributes": [{"list": "traits"}]}
    new = {"groups": {"list": "genders", "only": ["women", "girls"]}, "attributes": [{"list": "traits", "only": ["a"]}]}
    assert spec_changes(old, new) == [
        "Groups, the list genders: added girls; removed men.",
        "Attributes, the list traits: only a.",
    ]
    assert spec_changes(new, new) == []
