"""The admin's pages of import, its preview, and export."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.contrib.messages import get_messages
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from plumbline.vocab.admin import exchange_forms
from plumbline.vocab.content import version
from plumbline.vocab.exporting import export_bytes
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import Import, Name, NameList
from plumbline.vocab.previewing import MOST_SHOWN
from plumbline.vocab.spreadsheets import write

pytestmark = pytest.mark.django_db

IMPORT, PREVIEW, EXPORT = (f"/admin/vocab/namelist/{page}/" for page in ("import", "import/preview", "export"))


def person(client: Client, *permissions: str, role: str = "") -> Client:
    """The client logged in with a role, or as a viewer with further permissions."""
    user = User.objects.create_user(role or "somebody")
    user.groups.add(Group.objects.get(name=role or "viewer"))
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user)
    return client


@pytest.fixture
def curator(client: Client) -> Client:
    return person(client, role="curator")


def upload(client: Client, content: str | bytes, name: str = "words.csv", **fields: Any) -> Any:
    data = content.encode() if isinstance(content, str) else content
    fields = {"mode": "replace", "file": SimpleUploadedFile(name, data), **fields}
    return client.post(IMPORT, fields, follow=True)


def confirm(client: Client, shown: Any) -> Any:
    return client.post(PREVIEW, {"seen": shown.context["seen"]}, follow=True)


def told(response: Any) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


def names(word_list: NameList) -> list[str]:
    return [name.name for name in word_list.rows()]


def pasted(client: Client, rows: str, **fields: Any) -> Any:
    return client.post(IMPORT, {"mode": "update", "word_list": "eu", "pasted": rows, **fields}, follow=True)


@pytest.mark.parametrize("rows", ["name,group\nZoë,women\nYusuf,men", "name\tgroup\r\nZoë\twomen\r\nYusuf\tmen\r\n"])
def test_pasted_rows_are_imported_like_a_file(curator: Client, rows: str) -> None:
    word_list = NameList.objects.create(slug="eu", title="EU")
    shown = pasted(curator, rows)
    assert "pasted rows" in shown.content.decode()
    confirm(curator, shown)
    assert names(word_list) == ["Zoë", "Yusuf"]
    assert Import.objects.get().file == "pasted rows"


def test_pasted_rows_without_the_line_of_columns_are_refused_with_their_line(curator: Client) -> None:
    NameList.objects.create(slug="eu", title="EU")
    html = pasted(curator, "Zoë\nYusuf").content.decode()
    assert "line 1" in html
    assert "Zoë\nYusuf" in html


@pytest.mark.parametrize("rows", ["", " \n"])
def test_neither_a_file_nor_rows_is_an_error_that_names_both(curator: Client, rows: str) -> None:
    NameList.objects.create(slug="eu", title="EU")
    assert "Choose a file, or paste rows: one of the two." in pasted(curator, rows).content.decode()


def test_a_file_and_rows_together_are_an_error(curator: Client) -> None:
    NameList.objects.create(slug="eu", title="EU")
    shown = upload(curator, "name\nZoë\n", pasted="name\nYusuf", word_list="eu")
    assert "Choose a file, or paste rows: one of the two." in shown.content.decode()
    assert not Name.objects.exists()


@pytest.mark.parametrize("address", [IMPORT, PREVIEW, EXPORT])
def test_each_page_asks_the_stranger_to_log_in(client: Client, address: str) -> None:
    shown = client.get(address)
    assert shown.status_code == 302
    assert "login" in shown["Location"]


@pytest.mark.parametrize(("address", "status"), [(IMPORT, 403), (PREVIEW, 403), (EXPORT, 200)])
@pytest.mark.parametrize("role", ["viewer", "auditor", "reviewer"])
def test_who_only_sees_words_may_export_but_not_import(client: Client, role: str, address: str, status: int) -> None:
    person(client, role=role)
    assert client.get(address).status_code == status
    if status == 403:
        assert client.post(address).status_code == 403


def test_each_page_refuses_other_methods(curator: Client) -> None:
    assert curator.put(IMPORT).status_code == curator.delete(PREVIEW).status_code == 405
    assert curator.post(EXPORT).status_code == 405


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_every_kind_has_buttons_on_its_pages(curator: Client, kind: Any) -> None:
    word_list = kind.list_model.objects.create(slug="some", title="Some")
    at = f"/admin/vocab/{kind.list_model._meta.model_name}/"
    entries = f"/admin/vocab/{kind.entry_model._meta.model_name}/"
    for page, query in ((at, ""), (entries, ""), (f"{at}{word_list.pk}/change/", "?list=some")):
        shown = curator.get(page).content.decode()
        assert f'href="{at}import/{query}"' in shown
        assert f'href="{at}export/{query}"' in shown
    assert curator.get(f"{at}import/").status_code == 200


def test_a_viewer_sees_no_button_that_would_refuse(client: Client, three_names: NameList) -> None:
    shown = person(client, role="viewer").get("/admin/vocab/namelist/").content.decode()
    assert f'href="{EXPORT}"' in shown
    assert f'href="{IMPORT}"' not in shown


def test_the_preview_shows_each_change_and_writes_nothing(curator: Client, three_names: NameList) -> None:
    before = version("names", "three")
    shown = upload(curator, "name,group\nAnna,writers\nDora,new\nBen,readers\n", word_list="three")
    assert shown.redirect_chain == [(PREVIEW, 302)]
    seen = shown.context["previews"][0]
    assert seen.counts == {"added": 1, "changed": 1, "removed": 1, "unchanged": 1}
    assert [(key, edit.column, edit.old, edit.new) for key, edits in seen.changed for edit in edits] == [
        ("Anna", "group", "readers", "writers")
    ]
    assert (seen.added.cells, seen.removed.cells) == ([["Dora", "new"]], [["Cleo", "readers"]])
    assert version("names", "three") == before


def test_the_import_does_what_the_preview_showed(curator: Client, three_names: NameList) -> None:
    done = confirm(curator, upload(curator, "name\nDora\nBen\n", word_list="three"))
    assert told(done) == ["Imported three: 2 entries (1 added, 1 changed, 2 removed)."]
    assert done.redirect_chain == [(f"/admin/vocab/namelist/imported/{Import.objects.get().pk}/", 302)]
    assert f"/admin/vocab/namelist/{three_names.pk}/change/" in done.content.decode()
    assert names(three_names) == ["Dora", "Ben"]
    again = curator.post(PREVIEW, {"seen": "x"}, follow=True)
    assert again.redirect_chain == [(IMPORT, 302)]
    assert "choose it again" in told(again)[0]


def test_an_update_leaves_what_the_file_lacks(curator: Client, three_names: NameList) -> None:
    confirm(curator, upload(curator, "name\nDora\n", word_list="three", mode="update"))
    assert names(three_names) == ["Anna", "Ben", "Cleo", "Dora"]


def test_a_new_list_is_made_with_its_title(curator: Client) -> None:
    shown = upload(curator, '[{"name": "Anna"}]', "words.json", new_slug="fresh", new_title="Fresh names")
    assert shown.context["previews"][0].created
    confirm(curator, shown)
    assert NameList.objects.get(slug="fresh").title == "Fresh names"


def test_a_workbook_goes_into_the_lists_that_it_names(curator: Client, three_names: NameList) -> None:
    rows = [{"list": "three", "name": "Anna"}, {"list": "four", "name": "=1"}]
    confirm(curator, upload(curator, write(("list", "name"), rows), "words.xlsx"))
    assert names(three_names) == ["Anna"]
    assert names(NameList.objects.get(slug="four")) == ["=1"]


def test_all_faulty_lines_are_shown_and_nothing_is_kept(curator: Client, three_names: NameList) -> None:
    shown = upload(curator, "name\nDora\n=1+1\nDora\n" + "Eve\n" * 150, word_list="three")
    text = shown.content.decode()
    assert "line 3: &#x27;=1+1&#x27; would be a formula" in text
    assert "line 4: &#x27;Dora&#x27; appears on line 2 already" in text
    assert shown.context["faults"][-1] == "... and 51 more."
    assert told(curator.get(PREVIEW, follow=True))
    assert names(three_names) == ["Anna", "Ben", "Cleo"]


@pytest.mark.parametrize(
    ("content", "fields", "fault"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", {}, "words.csv is no text"),
        (b"", {}, "The file is empty"),
        ("vorname;gruppe\nAnna;x\n", {}, "the header has no column &#x27;name&#x27;"),
        ("name\nAnna\n", {"word_list": ""}, "no list is named"),
        ("name\nAnna\n", {"word_list": "nowhere"}, "not one of the available choices"),
        ("name\nAnna\n", {"new_slug": "four"}, "Choose a list or name a new one, not both."),
        ("name\nAnna\n", {"word_list": "", "new_slug": "two words"}, "valid “slug”"),
        ("name\nAnna\n", {"new_title": "T"}, "A title goes with a new list"),
        ("name\nAnna\n", {"mode": "destroy"}, "not one of the available choices"),
        ("name\nEv\u200be\n", {}, "line 2: name has the invisible character U+200B"),
        ("name\nAnna\n".encode("utf-16"), {}, "text in UTF-16; save it as CSV UTF-8"),
    ],
)
def test_a_bad_upload_is_refused_with_the_remedy(
    curator: Client, three_names: NameList, content: Any, fields: dict[str, str], fault: str
) -> None:
    shown = upload(curator, content, **{"word_list": "three", **fields})
    assert shown.redirect_chain == []
    assert fault in shown.content.decode()


def test_a_file_that_is_too_large_is_refused(curator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange_forms, "MOST_BYTES", 1_000_000)
    assert "larger than 1 MB; split it" in upload(curator, b"n" * 1_000_001).content.decode()


def test_a_cp1252_file_with_semicolons_is_read_with_a_notice(curator: Client) -> None:
    shown = upload(curator, "name;group\r\nJürgen;Männer\r\n".encode("cp1252"), new_slug="fresh")
    assert "was read as cp1252: check the accented letters" in shown.content.decode()
    assert shown.context["previews"][0].added.cells == [["Jürgen", "Männer"]]


def test_markup_and_the_other_direction_are_shown_literally(curator: Client) -> None:
    text = upload(curator, "name\n<script>alert(1)</script>\nليلى\n", name="<b>.csv", new_slug="x").content.decode()
    assert "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>" in text
    assert "<bdi>ليلى</bdi>" in text
    assert "<b>.csv" not in text


def test_a_list_that_changed_since_its_preview_is_not_imported_into(curator: Client, three_names: NameList) -> None:
    shown = upload(curator, "name\nDora\n", word_list="three")
    Name.objects.filter(name="Ben").update(note="somebody else's")
    refused = confirm(curator, shown)
    assert "Somebody changed the list meanwhile" in told(refused)[0]
    assert names(three_names) == ["Anna", "Ben", "Cleo"]
    confirm(curator, refused)
    assert names(three_names) == ["Dora"]


def test_a_list_that_somebody_made_since_its_preview_is_not_replaced(curator: Client) -> None:
    shown = upload(curator, "name\nDora\n", new_slug="fresh")
    Name.objects.create(word_list=NameList.objects.create(slug="fresh", title="Theirs"), name="Zoe")
    assert "Somebody changed" in told(confirm(curator, shown))[0]
    assert names(NameList.objects.get()) == ["Zoe"]


def test_a_preview_of_another_file_confirms_nothing(curator: Client, three_names: NameList) -> None:
    first = upload(curator, "name\nDora\n", word_list="three")
    upload(curator, "name\nEve\n", word_list="three")
    assert "you chose another file" in told(confirm(curator, first))[0]
    assert names(three_names) == ["Anna", "Ben", "Cleo"]


def test_one_upload_of_a_kind_is_kept_and_only_until_its_import(curator: Client, three_names: NameList) -> None:
    before = Session.objects.count()
    shown = [upload(curator, f"name\n{name}\n", word_list="three") for name in ("Dora", "Eve")][-1]
    assert Session.objects.count() == before + 1
    confirm(curator, shown)
    assert Session.objects.count() == before


def test_uploads_whose_hour_is_over_go_when_the_next_one_comes(curator: Client, three_names: NameList) -> None:
    Session.objects.create(session_key="old", session_data="", expire_date=timezone.now() - timedelta(minutes=1))
    upload(curator, "name\nDora\n", word_list="three")
    assert not Session.objects.filter(session_key="old").exists()


def test_another_person_does_not_see_the_upload(curator: Client, three_names: NameList, admin_user: User) -> None:
    upload(curator, "name\nDora\n", word_list="three")
    other = Client()
    other.force_login(admin_user)
    assert other.get(PREVIEW).status_code == 302


def test_who_may_not_remove_entries_may_not_replace_a_list(client: Client, three_names: NameList) -> None:
    person(client, "add_namelist", "change_namelist", "add_name", "change_name")
    assert "not one of the available choices" in upload(client, "name\nA\n", word_list="three").content.decode()
    confirm(client, upload(client, "name\nDora\n", word_list="three", mode="update"))
    assert names(three_names) == ["Anna", "Ben", "Cleo", "Dora"]


def test_a_file_that_changes_nothing_offers_no_import(curator: Client, three_names: NameList) -> None:
    shown = upload(curator, export_bytes(KINDS["names"], "csv", "three"))
    assert shown.context["is_nothing"]
    assert '<button class="exchange-button">Import' not in shown.content.decode()


def test_a_long_preview_shows_the_first_rows_and_the_counts(
    curator: Client, django_assert_max_num_queries: Any
) -> None:
    text = "name\n" + "".join(f"Name {number}\n" for number in range(1000))
    upload(curator, text, new_slug="long")
    with django_assert_max_num_queries(12):
        shown = curator.get(PREVIEW)
    assert f"Added: the first {MOST_SHOWN} of 1,000" in shown.content.decode()
    assert len(shown.context["previews"][0].added.cells) == MOST_SHOWN


@pytest.mark.parametrize("ending", ["csv", "xlsx", "json"])
def test_a_list_is_exported_as_a_file(curator: Client, three_names: NameList, ending: str) -> None:
    file = curator.get(EXPORT, {"format": ending, "list": "three"})
    assert file["Content-Disposition"] == f'attachment; filename="three.{ending}"'
    before = version("names", "three")
    three_names.delete()
    confirm(curator, upload(curator, file.content, f"three.{ending}"))
    assert version("names", "three") == before


def test_all_lists_are_exported_into_one_file(curator: Client, three_names: NameList) -> None:
    file = curator.get(EXPORT, {"format": "json"})
    assert [entry["name"] for entry in json.loads(file.content)] == ["Anna", "Ben", "Cleo"]
    assert 'filename="names.json"' in file["Content-Disposition"]


@pytest.mark.parametrize("asked", [{"format": "exe"}, {"format": "csv", "list": "nowhere"}])
def test_an_export_of_what_is_not_there_shows_the_form_again(
    curator: Client, three_names: NameList, asked: dict[str, str]
) -> None:
    shown = curator.get(EXPORT, asked)
    assert "not one of the available choices" in shown.content.decode()
