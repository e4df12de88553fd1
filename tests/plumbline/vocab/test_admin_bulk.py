from typing import Any

import pytest
from django.contrib.auth.models import Group as Role
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from plumbline.vocab import history
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import Attribute, AttributeSet, Group, GroupList, Name, NameList

pytestmark = pytest.mark.django_db

ENTRIES = "admin:vocab_name_changelist"


@pytest.fixture
def other(db: None) -> NameList:
    return NameList.objects.create(slug="other", title="Other")


def chosen(*names: str) -> dict[str, Any]:
    return {"_selected_action": list(Name.objects.filter(name__in=names).values_list("pk", flat=True))}


def test_moving_asks_whereto_and_then_moves(admin_client: Client, three_names: NameList, other: NameList) -> None:
    asked = admin_client.post(reverse(ENTRIES), chosen("Anna", "Ben") | {"action": "move_entries"})
    assert "Move to another list: 2 names" in asked.content.decode()
    assert Name.objects.filter(word_list=three_names).count() == 3
    answer = {"action": "move_entries", "apply": "1", "target": other.pk}
    done = admin_client.post(reverse(ENTRIES), chosen("Anna", "Ben") | answer, follow=True)
    assert "2 moved to other." in done.content.decode()
    assert sorted(name.name for name in other.rows()) == ["Anna", "Ben"]


def test_a_clash_is_reported_on_the_page_that_asks(
    admin_client: Client, three_names: NameList, other: NameList
) -> None:
    Name.objects.create(word_list=other, name="Anna")
    anna = {"_selected_action": [Name.objects.get(word_list=three_names, name="Anna").pk]}
    told = admin_client.post(reverse(ENTRIES), anna | {"action": "move_entries", "apply": "1", "target": other.pk})
    assert "would stand twice" in told.content.decode()
    assert len(three_names.rows()) == 3


def test_a_column_is_set_for_all_that_a_filter_found(admin_client: Client, three_names: NameList) -> None:
    Name.objects.bulk_create(Name(word_list=three_names, name=f"Name {number}") for number in range(150))
    address = reverse(ENTRIES) + "?q=%22Name+%22"
    whole = {"action": "fill_column", "select_across": "1", "_selected_action": [Name.objects.get(name="Name 1").pk]}
    assert "Set a column: 150 names" in admin_client.post(address, whole).content.decode()
    admin_client.post(address, whole | {"apply": "1", "column": "group", "value": "many"})
    assert Name.objects.filter(group="many").count() == 150
    assert Name.objects.get(name="Anna").group == "readers"


def test_a_bad_value_is_reported_and_changes_nothing(admin_client: Client, three_names: NameList) -> None:
    posted = chosen("Anna") | {"action": "fill_column", "apply": "1", "column": "pronoun", "value": "<b>xe"}
    told = admin_client.post(reverse(ENTRIES), posted).content.decode()
    assert "&lt;b&gt;xe" in told
    assert "<b>xe" not in told
    assert Name.objects.get(name="Anna").pronoun == ""


def test_a_viewer_is_offered_no_action(client: Client, three_names: NameList, other: NameList) -> None:
    viewer = User.objects.create_user("viewer", password="x")
    viewer.groups.add(Role.objects.get(name="viewer"))
    client.force_login(viewer)
    client.post(reverse(ENTRIES), chosen("Anna") | {"action": "move_entries", "apply": "1", "target": other.pk})
    assert not other.rows()


def test_removing_many_dates_their_list(admin_client: Client, three_names: NameList) -> None:
    before = three_names.modified_at
    admin_client.post(reverse(ENTRIES), chosen("Anna") | {"action": "delete_selected", "post": "yes"})
    three_names.refresh_from_db()
    assert three_names.modified_at > before


@pytest.fixture
def two_groups(db: None) -> GroupList:
    groups = GroupList.objects.create(slug="two", title="Two")
    Group.objects.create(word_list=groups, label="women", singular="woman", plural="women", pronoun="she", position=1)
    Group.objects.create(word_list=groups, label="readers", plural="readers", position=2)
    return groups


def test_missing_forms_of_groups_are_marked(admin_client: Client, two_groups: GroupList) -> None:
    table = admin_client.get(reverse("admin:vocab_group_changelist")).content.decode()
    assert table.count("no singular, no pronoun") == 1
    page = admin_client.get(reverse("admin:vocab_grouplist_change", args=[two_groups.pk])).content.decode()
    assert "singular: 1 of 2, which templates with {group.singular} refuse" in page


def test_the_family_of_a_word_is_shown_as_curated_or_by_rule(admin_client: Client, db: None) -> None:
    jobs = AttributeSet.objects.create(slug="jobs", title="Jobs")
    Attribute.objects.create(word_list=jobs, text="CIVIL ENGINEER II")
    Attribute.objects.create(word_list=jobs, text="MIDWIFE", family="Care")
    for where in ("attribute_changelist", "attributeset_change"):
        args = [jobs.pk] if where.endswith("change") else []
        page = admin_client.get(reverse(f"admin:vocab_{where}", args=args)).content.decode()
        assert ("engineer (by rule)" in page, "care" in page, "midwife (by rule)" in page) == (True, True, False)
    word = jobs.entries.get(text="CIVIL ENGINEER II")
    assert (
        "engineer (by rule)"
        in admin_client.get(reverse("admin:vocab_attribute_change", args=[word.pk])).content.decode()
    )


def test_forms_are_filled_in_the_table_of_groups(admin_client: Client, two_groups: GroupList) -> None:
    women, readers = two_groups.rows()
    rows = {
        "form-TOTAL_FORMS": "2", "form-INITIAL_FORMS": "2", "_save": "Save",
        "form-0-id": women.pk, "form-0-singular": "woman", "form-0-plural": "women", "form-0-pronoun": "she",
        "form-1-id": readers.pk, "form-1-singular": "reader", "form-1-plural": "readers", "form-1-pronoun": "they",
    }  # fmt: skip
    before = two_groups.modified_at
    assert admin_client.post(reverse("admin:vocab_group_changelist"), rows).status_code == 302
    readers.refresh_from_db()
    two_groups.refresh_from_db()
    assert (readers.singular, readers.pronoun) == ("reader", "they")
    assert two_groups.modified_at > before


def test_saving_a_table_checks_only_the_rows_that_changed(
    admin_client: Client, two_groups: GroupList, django_assert_max_num_queries: Any
) -> None:
    Group.objects.bulk_create(Group(word_list=two_groups, label=f"group {number}") for number in range(60))
    entries = Group.objects.order_by("word_list__slug", "position", "id")
    rows: dict[str, Any] = {"form-TOTAL_FORMS": len(entries), "form-INITIAL_FORMS": len(entries), "_save": "Save"}
    for number, group in enumerate(entries):
        for column in ("id", "singular", "plural", "pronoun"):
            rows[f"form-{number}-{column}"] = getattr(group, column)
    rows["form-7-singular"] = "one"
    # Django looks each row up by its id; none but the changed one reads its list.
    with django_assert_max_num_queries(len(entries) + 20):
        admin_client.post(reverse("admin:vocab_group_changelist"), rows)
    assert Group.objects.filter(singular="one").count() == 1


def test_a_table_dates_each_list_once_however_many_of_its_rows_changed(
    admin_client: Client, three_names: NameList, other: NameList
) -> None:
    Name.objects.create(word_list=other, name="Carl")
    before = {one.pk: one.modified_at for one in NameList.objects.all()}
    with CaptureQueriesContext(connection) as captured:
        assert admin_client.post(reverse(ENTRIES), table_of_names(group="many")).status_code == 302
    assert set(Name.objects.values_list("group", flat=True)) == {"many"}
    assert all(one.modified_at > before[one.pk] for one in NameList.objects.all())
    assert len([one for one in captured if 'UPDATE "vocab_namelist"' in one["sql"]]) == 1
    found = history.changes(KINDS["names"], list(history.references(KINDS["names"], None, None, "")[:4]))
    assert {(change.what, change.row, change.who) for change in found} == {
        ("changed", name, "admin") for name in ("Anna", "Ben", "Carl", "Cleo")
    }


def table_of_names(**changed: str) -> dict[str, Any]:
    """What the page of all names sends, with the same change of each row."""
    names = list(Name.objects.order_by("word_list__slug", "position", "id"))
    rows: dict[str, Any] = {"form-TOTAL_FORMS": len(names), "form-INITIAL_FORMS": len(names), "_save": "Save"}
    for number, name in enumerate(names):
        values = {"id": name.pk, "group": name.group, "pronoun": name.pronoun, **changed}
        rows |= {f"form-{number}-{column}": value for column, value in values.items()}
    return rows
