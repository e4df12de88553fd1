"""Two curators on one row: the one who saves last neither writes over the other's change nor loses an entry."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pghistory
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import Group, GroupList, Name, NameList

pytestmark = pytest.mark.django_db


def fields_of(page: Any) -> dict[str, Any]:
    """What a browser would send if nobody touched anything: read from the page's own HTML."""
    found: dict[str, Any] = {}
    text = page.content.decode()
    form = max(re.findall(r"<form.*?</form>", text, re.S), key=len)
    for tag in re.findall(r"<input[^>]*>", form):
        names = {key: unescape(value) for key, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        if names.get("type") in ("submit", "search") or "name" not in names or "__prefix__" in names["name"]:
            continue
        if names.get("type") == "checkbox" and not re.search(r"\schecked\b", tag):
            continue
        found[names["name"]] = names.get("value", "on" if names.get("type") == "checkbox" else "")
    for name, body in re.findall(r'<textarea name="([^"]*)"[^>]*>\s?(.*?)</textarea>', form, re.S):
        found[name] = unescape(body)
    for name, body in re.findall(r'<select name="([^"]*)".*?>(.*?)</select>', form, re.S):
        chosen = [unescape(value) for value in re.findall(r'<option value="([^"]*)"[^>]*\bselected', body)]
        found[name] = chosen[0] if chosen else ""
    return {name: value for name, value in found.items() if "__prefix__" not in name}


def told(page: Any) -> str:
    return unescape(re.sub(r"\s+", " ", page.content.decode()))


@pytest.fixture
def bo(db: None) -> Callable[..., None]:
    """A colleague, who changes names or removes them."""
    person = User.objects.create_user("bo", password="x")

    def change(name: str, **values: Any) -> None:
        with pghistory.context(user=person.pk, username="bo"):
            found = Name.objects.filter(name=name)
            found.update(**values) if values else found.delete()

    return change


def entry_page(names: NameList) -> tuple[str, str]:
    return reverse("admin:vocab_name_change", args=[names.entries.get(name="Anna").pk]), ""


def table_page(names: NameList) -> tuple[str, str]:
    return f"{reverse('admin:vocab_name_changelist')}?word_list__id__exact={names.pk}", "form-0-"


def list_page(names: NameList) -> tuple[str, str]:
    return reverse("admin:vocab_namelist_change", args=[names.pk]) + "?form=1", "entries-0-"


PAGES = pytest.mark.parametrize("page", [entry_page, table_page, list_page], ids=lambda page: page.__name__)


def send(client: Client, address: str, fields: dict[str, Any]) -> Any:
    return client.post(address, {**fields, "_save": "Save"})


@PAGES
def test_what_a_colleague_changed_is_not_written_over_in_silence(
    admin_client: Client, three_names: NameList, bo: Any, page: Any
) -> None:
    address, row = page(three_names)
    fields = fields_of(admin_client.get(address)) | {f"{row}group": "mine"}
    bo("Anna", group="theirs")
    refused = send(admin_client, address, fields)
    assert refused.status_code == 200
    assert "bo changed group (was readers, now theirs) of 'Anna' after you opened this page." in told(refused)
    assert Name.objects.get(name="Anna").group == "theirs"
    again = fields_of(refused)
    assert again[f"{row}group"] == "mine"
    assert send(admin_client, address, again).status_code == 302
    assert Name.objects.get(name="Anna").group == "mine"


@PAGES
def test_a_change_between_the_refusal_and_the_second_save_is_shown_too(
    admin_client: Client, three_names: NameList, bo: Any, page: Any
) -> None:
    address, row = page(three_names)
    fields = fields_of(admin_client.get(address)) | {f"{row}group": "mine"}
    bo("Anna", group="theirs")
    again = fields_of(send(admin_client, address, fields))
    bo("Anna", group="theirs at last")
    refused = send(admin_client, address, again)
    assert "(was theirs, now theirs at last)" in told(refused)
    assert Name.objects.get(name="Anna").group == "theirs at last"


@pytest.mark.parametrize("page", [entry_page, list_page], ids=lambda page: page.__name__)
def test_a_colleagues_change_of_another_field_is_shown_and_kept(
    admin_client: Client, three_names: NameList, bo: Any, page: Any
) -> None:
    address, row = page(three_names)
    fields = fields_of(admin_client.get(address)) | {f"{row}group": "mine"}
    bo("Anna", note="theirs")
    refused = send(admin_client, address, fields)
    assert "bo changed note (was empty, now theirs)" in told(refused)
    assert send(admin_client, address, fields_of(refused)).status_code == 302
    anna = Name.objects.get(name="Anna")
    assert (anna.group, anna.note) == ("mine", "theirs")


@PAGES
def test_rows_that_i_left_alone_are_left_as_they_are_by_now(
    admin_client: Client, three_names: NameList, bo: Any, page: Any
) -> None:
    address, row = page(three_names)
    mine = {f"{row.replace('0', '1')}group": "mine"} if row else {}
    fields = fields_of(admin_client.get(address)) | mine
    bo("Anna", group="theirs", note="theirs")
    assert send(admin_client, address, fields).status_code == 302
    anna = Name.objects.get(name="Anna")
    assert (anna.group, anna.note) == ("theirs", "theirs")
    assert Name.objects.get(name="Ben").group == ("mine" if row else "readers")


@PAGES
def test_the_same_change_twice_is_no_conflict(admin_client: Client, three_names: NameList, bo: Any, page: Any) -> None:
    address, row = page(three_names)
    fields = fields_of(admin_client.get(address)) | {f"{row}group": "ours"}
    bo("Anna", group="ours")
    assert send(admin_client, address, fields).status_code == 302


def test_a_column_that_the_table_does_not_show_is_no_conflict(
    admin_client: Client, three_names: NameList, bo: Any
) -> None:
    address, row = table_page(three_names)
    fields = fields_of(admin_client.get(address)) | {f"{row}group": "mine"}
    bo("Anna", note="theirs")
    assert send(admin_client, address, fields).status_code == 302
    anna = Name.objects.get(name="Anna")
    assert (anna.group, anna.note) == ("mine", "theirs")


def test_the_list_itself_is_kept_too(admin_client: Client, three_names: NameList) -> None:
    address, _ = list_page(three_names)
    fields = fields_of(admin_client.get(address)) | {"title": "Mine"}
    NameList.objects.update(title="Theirs", source="Elsewhere")
    refused = send(admin_client, address, fields)
    assert "changed title (was Three names, now Theirs), source (was This test, now Elsewhere)" in told(refused)
    assert send(admin_client, address, fields_of(refused)).status_code == 302
    three_names.refresh_from_db()
    assert (three_names.title, three_names.source) == ("Mine", "Elsewhere")


def test_a_row_that_a_colleague_changed_is_not_removed_in_silence(
    admin_client: Client, three_names: NameList, bo: Any
) -> None:
    address, row = list_page(three_names)
    fields = fields_of(admin_client.get(address)) | {f"{row}DELETE": "on"}
    bo("Anna", note="keep her")
    refused = send(admin_client, address, fields)
    assert "bo changed note (was empty, now keep her)" in told(refused)
    assert Name.objects.filter(name="Anna").exists()
    assert send(admin_client, address, fields_of(refused)).status_code == 302
    assert not Name.objects.filter(name="Anna").exists()


@pytest.mark.parametrize("page", [table_page, list_page], ids=lambda page: page.__name__)
def test_entries_for_a_row_that_a_colleague_removed_are_reported_and_the_others_stay(
    admin_client: Client, three_names: NameList, bo: Any, page: Any
) -> None:
    address, row = page(three_names)
    other = row.replace("0", "1")
    fields = fields_of(admin_client.get(address)) | {f"{row}group": "mine", f"{other}group": "mine too"}
    bo("Anna")
    refused = send(admin_client, address, fields)
    assert "bo removed 'Anna' after you opened this page" in told(refused)
    assert Name.objects.get(name="Ben").group == "readers"
    again = fields_of(refused)
    assert again[f"{other}group"] == "mine too"
    assert send(admin_client, address, again).status_code == 302
    assert Name.objects.get(name="Ben").group == "mine too"
    assert sorted(Name.objects.values_list("name", flat=True)) == ["Ben", "Cleo"]


@pytest.mark.parametrize("page", [table_page, list_page], ids=lambda page: page.__name__)
def test_a_removed_row_for_which_nothing_was_typed_keeps_nobody_from_saving(
    admin_client: Client, three_names: NameList, bo: Any, page: Any
) -> None:
    address, row = page(three_names)
    fields = fields_of(admin_client.get(address)) | {f"{row.replace('0', '2')}group": "mine"}
    bo("Anna")
    assert send(admin_client, address, fields).status_code == 302
    assert list(Name.objects.order_by("name").values_list("name", "group")) == [("Ben", "readers"), ("Cleo", "mine")]


def test_a_refused_table_shows_each_entry_in_its_own_row(admin_client: Client, three_names: NameList, bo: Any) -> None:
    address, _ = table_page(three_names)
    fields = fields_of(admin_client.get(address)) | {"form-1-group": "of Ben"}
    bo("Ben", group="theirs")
    Name.objects.create(word_list=three_names, name="Zoe", position=0)
    table = send(admin_client, address, fields).context["cl"]
    pairs = zip(table.result_list, table.formset.forms, strict=True)
    assert [(row.name, form["group"].value()) for row, form in pairs] == [
        ("Anna", "readers"),
        ("Ben", "of Ben"),
        ("Cleo", "readers"),
    ]


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_pages_of_every_kind_know_what_they_showed(admin_client: Client, kind: Any) -> None:
    word_list = kind.list_model.objects.create(slug="some", title="Some")
    key = {name: f"All {{group}} are {name}." for name in kind.columns[: kind.entry_model.KEY]}
    amounts = {"rating": 0.5} if kind.name == "ratings" else {}
    entry = kind.entry_model.objects.create(word_list=word_list, position=1, **key, **amounts)
    for row, needed in ((word_list, {"title": "Some"}), (entry, key)):
        page = admin_client.get(reverse(f"admin:vocab_{row._meta.model_name}_change", args=[row.pk]))
        assert needed.items() <= json.loads(fields_of(page)["seen"]).items()
    page = admin_client.get(
        reverse(f"admin:vocab_{word_list._meta.model_name}_change", args=[word_list.pk]) + "?form=1"
    )
    assert list(json.loads(fields_of(page)["entries-SEEN"])) == [str(entry.pk)]


def test_choices_and_ticks_and_lists_of_words_follow_the_present(admin_client: Client) -> None:
    groups = GroupList.objects.create(slug="some", title="Some")
    women = Group.objects.create(word_list=groups, label="women", position=1)
    address = reverse("admin:vocab_group_change", args=[women.pk])
    fields = fields_of(admin_client.get(address)) | {"note": "mine"}
    Group.objects.update(pronoun="she", pilot=True, singular="woman")
    refused = send(admin_client, address, fields)
    assert "pronoun (was empty, now she)" in told(refused)
    assert "(was no, now yes)" in told(refused)
    assert send(admin_client, address, fields_of(refused)).status_code == 302
    women.refresh_from_db()
    assert (women.pronoun, women.pilot, women.singular, women.note) == ("she", True, "woman", "mine")


@pytest.mark.parametrize("seen", ["{", "[]", "7"])
def test_a_page_that_is_not_whole_saves_nothing(admin_client: Client, three_names: NameList, seen: str) -> None:
    address, _ = entry_page(three_names)
    fields = fields_of(admin_client.get(address)) | {"group": "mine", "seen": seen}
    assert send(admin_client, address, fields).status_code == 400
    assert not Name.objects.filter(group="mine").exists()


@pytest.mark.parametrize("rows", ["3", "null", "[]", '"Anna"'])
@pytest.mark.parametrize("page", [table_page, list_page], ids=lambda page: page.__name__)
def test_a_table_that_is_not_whole_saves_nothing(
    admin_client: Client, three_names: NameList, page: Any, rows: str
) -> None:
    address, row = page(three_names)
    fields = fields_of(admin_client.get(address)) | {f"{row}group": "mine"}
    anna = three_names.entries.get(name="Anna").pk
    fields[f"{row.split('-')[0]}-SEEN"] = f'{{"{anna}": {rows}}}'
    assert send(admin_client, address, fields).status_code == 400
    assert not Name.objects.filter(group="mine").exists()


DEEP = "[" * 100_000
WRONG = {
    "a deep nest": f'{{"group": {DEEP}',
    "half a surrogate pair": '{"group": "\\ud800"}',
    "a mapping for a text": '{"group": {"was": "readers"}}',
    "a text for a row": '{"word_list": "three"}',
    "a row beyond all numbers": '{"word_list": 99999999999999999999}',
    "a list for a row": '{"word_list": [1]}',
    "a mapping for an amount": '{"frequency": {}}',
}


@pytest.mark.parametrize("seen", WRONG.values(), ids=list(WRONG))
def test_what_no_page_shows_is_refused_however_deep_it_hides(
    admin_client: Client, three_names: NameList, seen: str
) -> None:
    address, _ = entry_page(three_names)
    fields = fields_of(admin_client.get(address)) | {"group": "mine", "seen": seen}
    assert send(admin_client, address, fields).status_code == 400
    assert not Name.objects.filter(group="mine").exists()


@pytest.mark.parametrize("page", [table_page, list_page], ids=lambda page: page.__name__)
def test_rows_that_no_page_shows_are_refused_also_for_a_removed_row(
    admin_client: Client, three_names: NameList, bo: Any, page: Any
) -> None:
    address, row = page(three_names)
    fields = fields_of(admin_client.get(address)) | {f"{row}group": "mine"}
    anna = three_names.entries.get(name="Anna").pk
    bo("Anna")
    fields[f"{row.split('-')[0]}-SEEN"] = json.dumps({str(anna): {"group": {"was": "readers"}}})
    assert send(admin_client, address, fields).status_code == 400
