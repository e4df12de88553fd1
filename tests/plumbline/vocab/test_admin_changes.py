from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from plumbline.vocab.content import version
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import Name, NameList

pytestmark = pytest.mark.django_db

CHANGES, UNDO = (reverse_name for reverse_name in ("admin:vocab_namelist_changes", "admin:vocab_namelist_undo"))


@pytest.fixture
def as_role(client: Client) -> Any:
    def log_in(role: str) -> Client:
        person = User.objects.create_user(role, password="x")
        person.groups.add(Group.objects.get(name=role))
        client.force_login(person)
        return client

    return log_in


def rename(client: Client, names: NameList) -> None:
    anna = Name.objects.get(name="Anna")
    fields = {"word_list": names.pk, "name": "Anne", "group": "readers", "position": 1}
    assert client.post(reverse("admin:vocab_name_change", args=[anna.pk]), fields).status_code == 302


def shown(client: Client, **asked: Any) -> Any:
    return client.get(reverse(CHANGES), asked)


def fields_of(change: Any) -> dict[str, Any]:
    return {"of_list": int(change.reference.of_list), "number": change.reference.number}


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_each_kind_has_a_page_of_changes(admin_client: Client, kind: Any) -> None:
    assert admin_client.get(reverse(f"admin:vocab_{kind.list_model._meta.model_name}_changes")).status_code == 200


def test_who_changed_a_name_is_found_by_its_old_form_and_undone(as_role: Any, three_names: NameList) -> None:
    curator = as_role("curator")
    before = version("names", "three")
    rename(curator, three_names)
    page = shown(curator, q="anna")
    change = page.context["changes"][0]
    assert (change.who, change.what, change.row) == ("curator", "changed", "Anne")
    assert "<del><bdi>Anna</bdi></del>" in page.content.decode()
    answer = curator.post(reverse(UNDO), fields_of(change) | {"back": reverse(CHANGES) + "?q=anna"}, follow=True)
    assert answer.request["QUERY_STRING"] == "q=anna"
    assert "Undone" in answer.content.decode()
    assert version("names", "three") == before
    undoing = shown(curator).context["changes"][0]
    assert (undoing.who, undoing.undoes, undoing.row) == ("curator", True, "Anna")


def test_the_history_buttons_lead_to_the_list_and_to_the_entry(admin_client: Client, three_names: NameList) -> None:
    rename(admin_client, three_names)
    anna, ben = Name.objects.get(name="Anne"), Name.objects.get(name="Ben")
    for address, rows in (
        (reverse("admin:vocab_namelist_history", args=[three_names.pk]), ["Anne", "Cleo", "Ben", "Anna", "three"]),
        (reverse("admin:vocab_name_history", args=[anna.pk]), ["Anne", "Anna"]),
        (reverse("admin:vocab_name_history", args=[ben.pk]), ["Ben"]),
    ):
        assert [change.row for change in admin_client.get(address, follow=True).context["changes"]] == rows


def test_what_cannot_be_undone_says_why(admin_client: Client, three_names: NameList) -> None:
    rename(admin_client, three_names)
    change = shown(admin_client).context["changes"][0]
    Name.objects.filter(name="Anne").update(name="Annette")
    answer = admin_client.post(reverse(UNDO), fields_of(change), follow=True)
    assert "has changed since; undo the later change first" in answer.content.decode()
    assert Name.objects.filter(name="Annette").exists()


def test_long_histories_are_paged_with_a_bounded_number_of_queries(
    admin_client: Client, three_names: NameList, django_assert_max_num_queries: Any
) -> None:
    Name.objects.bulk_create(Name(word_list=three_names, name=f"Name {number}") for number in range(120))
    Name.objects.update(group="many")
    with django_assert_max_num_queries(16):
        page = shown(admin_client, list=three_names.pk, page=2)
    assert len(page.context["changes"]) == 50
    assert page.context["page"].paginator.num_pages == 5


def test_a_viewer_looks_and_does_not_undo(as_role: Any, three_names: NameList) -> None:
    viewer = as_role("viewer")
    page = shown(viewer)
    assert page.status_code == 200
    assert reverse(UNDO) not in page.content.decode()
    assert viewer.post(reverse(UNDO), fields_of(page.context["changes"][0])).status_code == 403
    assert NameList.objects.exists()


def test_who_may_not_delete_does_not_undo_an_addition(client: Client, three_names: NameList) -> None:
    from django.contrib.auth.models import Permission

    person = User.objects.create_user("half", password="x")
    needed = ("view_run", "view_namelist", "change_namelist", "change_name")
    person.user_permissions.set(Permission.objects.filter(codename__in=needed))
    client.force_login(person)
    added = next(change for change in shown(client).context["changes"] if change.row == "Cleo")
    assert client.post(reverse(UNDO), fields_of(added)).status_code == 403
    assert Name.objects.filter(name="Cleo").exists()


def test_the_stranger_and_an_account_without_a_role(client: Client) -> None:
    for answer in (client.get(reverse(CHANGES)), client.post(reverse(UNDO))):
        assert answer.status_code == 302
        assert "/login/" in answer["Location"]
    client.force_login(User.objects.create_user("nobody", password="x"))
    assert client.get(reverse(CHANGES)).status_code in (302, 403)
    assert client.post(reverse(UNDO)).status_code in (302, 403)


def test_the_wrong_method(admin_client: Client) -> None:
    assert admin_client.post(reverse(CHANGES)).status_code == 405
    assert admin_client.get(reverse(UNDO)).status_code == 405


@pytest.mark.parametrize("asked", [{"list": "x"}, {"list": "9" * 40}, {"entry": "-1"}, {"q": "x" * 999}, {"page": "x"}])
def test_a_strange_address_is_answered(admin_client: Client, asked: dict[str, str]) -> None:
    assert shown(admin_client, **asked).status_code == 200


def test_a_null_character_in_an_address_is_refused(admin_client: Client) -> None:
    assert shown(admin_client, q="\0").status_code == 400


@pytest.mark.parametrize("posted", [{}, {"of_list": "2", "number": "1"}, {"of_list": "0", "number": "9" * 30}])
def test_a_strange_undoing_is_refused(admin_client: Client, posted: dict[str, str]) -> None:
    answer = admin_client.post(reverse(UNDO), posted | {"back": "https://elsewhere.example/"}, follow=True)
    assert answer.request["PATH_INFO"] == reverse(CHANGES)
    assert "o such change" in answer.content.decode()


def test_words_are_shown_literally_and_hidden_characters_are_visible(
    admin_client: Client, three_names: NameList
) -> None:
    Name.objects.create(word_list=three_names, name="<script>alert(1)</script>", note="a\u200bb")
    text = shown(admin_client).content.decode()
    assert "<script>alert(1)" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "a⟨U+200B⟩b" in text
