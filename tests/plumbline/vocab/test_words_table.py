"""The table of words on a list's page: edits of cells and rows, which two people make at once."""

import re
from typing import Any

import pghistory
import pytest
from django.contrib.auth.models import User
from django.test import Client

from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import Group, GroupList, Name, NameList
from plumbline.vocab.words_table import fingerprint
from tests.plumbline.vocab.test_exchange import names, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def curator(client: Client) -> Client:
    return person(client, role="curator")


def page_of(word_list: Any) -> str:
    return f"/admin/vocab/{word_list._meta.model_name}/{word_list.pk}/change/"


def send(client: Client, word_list: Any, action: str, **fields: Any) -> Any:
    return client.post(f"/admin/vocab/{word_list._meta.model_name}/{word_list.pk}/words/", {"action": action, **fields})


def set_group(client: Client, names: NameList, text: str, shown: str = "readers") -> Any:
    anna = names.entries.get(name="Anna")
    return send(client, names, "set", entry=anna.pk, column="group", text=text, shown=shown)


def by_somebody_else(**values: Any) -> None:
    bo, _ = User.objects.get_or_create(username="bo")
    with pghistory.context(user=bo.pk, username="bo"):
        found = Name.objects.filter(name="Anna")
        found.update(**values) if values else found.delete()


def test_the_page_of_a_list_begins_with_its_words(curator: Client, three_names: NameList) -> None:
    shown = curator.get(page_of(three_names)).content.decode()
    assert shown.index("<bdi>Anna</bdi>") < shown.index("About the list") < shown.index('name="slug"')
    anna = Name.objects.get(name="Anna")
    assert f'href="/admin/vocab/name/{anna.pk}/change/"' in shown


def test_a_cell_is_saved_and_recorded_under_its_author(curator: Client, three_names: NameList) -> None:
    before = three_names.modified_at
    answer = set_group(curator, three_names, " writers ")
    assert answer.status_code == 200
    assert 'data-text="writers"' in answer.json()["row"]
    three_names.refresh_from_db()
    assert Name.objects.get(name="Anna").group == "writers"
    assert three_names.modified_at > before


def test_the_second_of_two_people_is_told_and_may_replace_it(curator: Client, three_names: NameList) -> None:
    by_somebody_else(group="editors")
    answer = set_group(curator, three_names, "writers")
    assert answer.status_code == 409
    assert answer.json()["error"].startswith("bo changed this to 'editors' after you opened the page.")
    assert Name.objects.get(name="Anna").group == "editors"
    assert set_group(curator, three_names, "writers", shown=answer.json()["texts"]["group"]).status_code == 200
    assert Name.objects.get(name="Anna").group == "writers"


def test_edits_of_two_cells_of_a_row_do_not_meet(curator: Client, three_names: NameList) -> None:
    by_somebody_else(pronoun="she")
    assert set_group(curator, three_names, "writers").status_code == 200
    anna = Name.objects.get(name="Anna")
    assert (anna.group, anna.pronoun) == ("writers", "she")


def test_an_edit_of_a_removed_row_is_told(curator: Client, three_names: NameList) -> None:
    pk = Name.objects.get(name="Anna").pk
    by_somebody_else()
    answer = send(curator, three_names, "set", entry=pk, column="group", text="x", shown="readers")
    assert (answer.status_code, answer.json()["row"]) == (409, "")


@pytest.mark.parametrize(
    ("column", "shown", "text", "fault"),
    [
        ("name", "Anna", "Ben", "'Ben' appears twice in the list; keep one."),
        ("name", "Anna", " ", "is blank; fill it in or take the entry out."),
        ("name", "Anna", "An\u200bna", "invisible character U+200B"),
        ("pronoun", "", "her", "not a valid choice"),
        ("frequency", "", "0,5", "write a number with a decimal point"),
    ],
)
def test_a_value_that_the_cell_does_not_take_is_refused_there(
    curator: Client, three_names: NameList, column: str, shown: str, text: str, fault: str
) -> None:
    pk = Name.objects.get(name="Anna").pk
    answer = send(curator, three_names, "set", entry=pk, column=column, text=text, shown=shown)
    assert (answer.status_code, answer.json()["column"]) == (422, column)
    assert fault in answer.json()["error"]
    assert names(three_names) == ["Anna", "Ben", "Cleo"]


def test_a_row_is_added_at_the_end_once(curator: Client, three_names: NameList) -> None:
    assert send(curator, three_names, "add", **{"text-name": "Dora", "text-pronoun": "she"}).status_code == 200
    assert names(three_names) == ["Anna", "Ben", "Cleo", "Dora"]
    again = send(curator, three_names, "add", **{"text-name": "Dora"})
    assert (again.status_code, again.json()["column"]) == (422, "name")
    assert three_names.entries.count() == 4


def test_a_removal_can_be_undone_by_the_number_it_returns(curator: Client, three_names: NameList) -> None:
    ben = Name.objects.get(name="Ben")
    answer = send(curator, three_names, "remove", entry=ben.pk, seen=fingerprint(KINDS["names"], ben))
    assert names(three_names) == ["Anna", "Cleo"]
    undo = {"of_list": "0", "number": answer.json()["event"], "back": page_of(three_names)}
    back = curator.post("/admin/vocab/namelist/changes/undo/", undo)
    assert back["Location"] == page_of(three_names)
    assert names(three_names) == ["Anna", "Ben", "Cleo"]


def test_a_changed_cell_can_be_put_back_by_the_number_it_returns(curator: Client, three_names: NameList) -> None:
    ben = Name.objects.get(name="Ben")
    answer = send(curator, three_names, "set", entry=ben.pk, column="name", text="Bert", shown="Ben").json()
    assert answer["changed"] == "Changed Ben to Bert."
    undo = {"of_list": "0", "number": answer["event"], "back": page_of(three_names)}
    curator.post("/admin/vocab/namelist/changes/undo/", undo)
    assert names(three_names) == ["Anna", "Ben", "Cleo"]
    again = send(curator, three_names, "set", entry=ben.pk, column="name", text="Ben", shown="Bert").json()
    assert again["event"] == "", "the cell held this text, so there is nothing to put back"


def test_a_row_that_somebody_changed_since_is_not_removed(curator: Client, three_names: NameList) -> None:
    anna = Name.objects.get(name="Anna")
    seen = fingerprint(KINDS["names"], anna)
    by_somebody_else(group="editors")
    answer = send(curator, three_names, "remove", entry=anna.pk, seen=seen)
    assert answer.status_code == 409
    assert 'data-text="editors"' in answer.json()["row"]
    assert Name.objects.filter(pk=anna.pk).exists()


def test_a_row_of_another_list_is_out_of_reach(curator: Client, three_names: NameList) -> None:
    other = NameList.objects.create(slug="other", title="Other")
    anna = Name.objects.get(name="Anna")
    answer = send(curator, other, "set", entry=anna.pk, column="group", text="x", shown="readers")
    assert answer.status_code == 409
    assert Name.objects.get(name="Anna").group == "readers"


@pytest.mark.parametrize("action", ["set", "add", "remove"])
def test_who_may_only_see_words_cannot_edit_them(client: Client, three_names: NameList, action: str) -> None:
    viewer = person(client, role="viewer")
    shown = viewer.get(page_of(three_names)).content.decode()
    assert "<bdi>Anna</bdi>" in shown
    assert "words-remove" not in shown
    assert send(viewer, three_names, action, entry=1, column="name").status_code == 403


@pytest.mark.parametrize("fields", [{"action": "drop"}, {"action": "set", "entry": "x"}, {"action": "remove"}])
def test_what_no_page_sends_is_a_bad_request(curator: Client, three_names: NameList, fields: dict[str, str]) -> None:
    answer = curator.post(f"/admin/vocab/namelist/{three_names.pk}/words/", fields)
    assert answer.status_code == 400
    assert curator.get(f"/admin/vocab/namelist/{three_names.pk}/words/").status_code == 405


def test_a_long_list_is_shown_a_page_at_a_time_and_searched(curator: Client) -> None:
    long = NameList.objects.create(slug="long", title="Long")
    Name.objects.bulk_create([Name(word_list=long, name=f"Name {n}", position=n) for n in range(1, 251)])
    second = curator.get(page_of(long), {"words": "2"}).content.decode()
    assert re.findall(r"<bdi>(Name \d+)</bdi>", second) == [f"Name {n}" for n in range(101, 201)]
    assert "Page 2 of 3" in second
    found = curator.get(page_of(long), {"find": "name 24"}).content.decode()
    assert len(re.findall(r"<bdi>(Name \d+)</bdi>", found)) == 11


def test_markup_in_words_is_shown_literally(curator: Client, three_names: NameList) -> None:
    Name.objects.create(word_list=three_names, name='<b>"x"</b>')
    shown = curator.get(page_of(three_names)).content.decode()
    assert "<b>" not in shown.split("<bdi>Cleo</bdi>")[1].split("</tbody>")[0]


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_the_table_of_each_kind_shows_all_its_columns(curator: Client, kind: Any) -> None:
    word_list = kind.list_model.objects.create(slug="some", title="Some")
    key = {name: f"All {{group}} are {name}." for name in kind.columns[: kind.entry_model.KEY]}
    kind.entry_model.objects.create(word_list=word_list, **key, **({"rating": 5} if kind.name == "ratings" else {}))
    shown = curator.get(page_of(word_list)).content.decode()
    assert re.findall(r'<td data-column="(\w+)"', shown) == [*kind.columns]


def test_a_group_without_a_form_that_templates_need_is_marked(curator: Client) -> None:
    groups = GroupList.objects.create(slug="guilds", title="Guilds")
    Group.objects.create(word_list=groups, label="weavers", plural="weavers", singular="weaver", pronoun="they")
    Group.objects.create(word_list=groups, label="potters", singular="potter", pronoun="they")
    shown = curator.get(page_of(groups)).content.decode()
    assert shown.count("<strong>no plural</strong>") == 1
