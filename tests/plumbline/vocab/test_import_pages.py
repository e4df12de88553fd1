"""The page of an import, and its undo there."""

from typing import Any

import pytest
from django.test import Client

from plumbline.vocab.models import Import, Name, NameList
from tests.plumbline.vocab.test_exchange import confirm, names, person, told, upload

pytestmark = pytest.mark.django_db

FILE = "name,group\nAnna,writers\nDora,new\nDora,new\n"


@pytest.fixture
def imported(client: Client, three_names: NameList) -> Any:
    """The page after a curator's import, which skipped a row."""
    person(client, role="curator")
    return confirm(client, upload(client, FILE, word_list="three", skip_duplicates="on"))


def press(client: Client, shown: Any) -> Any:
    act = shown.context["row"].last.record.pk
    return client.post(shown.context["undo_url"], {"act": act}, follow=True)


def test_the_page_says_what_was_skipped_and_undoes_and_redoes_the_import(
    client: Client, three_names: NameList, imported: Any
) -> None:
    assert "line 4: &#x27;Dora&#x27; is on line 3 already" in imported.content.decode()
    assert names(three_names) == ["Anna", "Dora"]
    undone = press(client, imported)
    assert names(three_names) == ["Anna", "Ben", "Cleo"]
    assert told(undone)[-1] == "Undone: the import of words.csv. You can redo it here."
    redone = press(client, undone)
    assert names(three_names) == ["Anna", "Dora"]
    assert [act.what for act in redone.context["row"].acts] == ["Imported", "Undone", "Redone"]
    assert {act.who for act in redone.context["row"].acts} == {"curator"}


def test_the_history_of_the_list_leads_to_the_import_and_names_its_file(
    client: Client, three_names: NameList, imported: Any
) -> None:
    record = Import.objects.get()
    shown = client.get(f"/admin/vocab/namelist/changes/?list={three_names.pk}").content.decode()
    assert f'href="/admin/vocab/namelist/imported/{record.pk}/"' in shown
    assert "Undo import" in shown
    assert "<bdi>words.csv</bdi>" in shown
    other = NameList.objects.create(slug="other", title="Other")
    assert "words.csv" not in client.get(f"/admin/vocab/namelist/changes/?list={other.pk}").content.decode()


def test_an_edit_since_is_named_and_stops_the_undo(client: Client, three_names: NameList, imported: Any) -> None:
    anna = Name.objects.get(name="Anna")
    client.post("/admin/vocab/name/", {"action": "delete_selected", "_selected_action": anna.pk, "post": "yes"})
    shown = press(client, imported)
    assert told(shown)[-1].startswith("Not undone. Later edits changed 'Anna'. Undo these edits first.")
    assert names(three_names) == ["Dora"]


def test_a_second_press_of_an_old_page_changes_nothing(client: Client, three_names: NameList, imported: Any) -> None:
    press(client, imported)
    assert "meanwhile" in told(press(client, imported))[-1]
    assert names(three_names) == ["Anna", "Ben", "Cleo"]


@pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("auditor", 403)])
def test_who_may_not_edit_words_sees_the_import_and_cannot_undo_it(
    client: Client, three_names: NameList, imported: Any, role: str, status: int
) -> None:
    person(client, role=role)
    page = client.get(imported.redirect_chain[-1][0])
    assert page.status_code == 200
    assert "Undo import" not in page.content.decode()
    assert client.post(imported.context["undo_url"], {"act": "1"}).status_code == status


def test_an_import_of_another_kind_or_none_is_not_found(client: Client, imported: Any) -> None:
    number = Import.objects.get().pk
    assert client.get(f"/admin/vocab/grouplist/imported/{number}/").status_code == 404
    assert client.get("/admin/vocab/namelist/imported/999999/").status_code == 404
