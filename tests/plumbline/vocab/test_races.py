"""A page and an import, or two that write, at the same moment: each on a real connection of its own."""

from collections.abc import Callable
from typing import Any

import pghistory
import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from plumbline.spec.errors import InputError
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.locking import lock
from plumbline.vocab.models import Name, NameList
from plumbline.vocab.models.recorded import EVENTS
from plumbline.vocab.undoing import undo
from tests.patience import PATIENCE
from tests.plumbline.audits.conftest import Elsewhere, until_one_waits

NAMES = KINDS["names"]


def save(client: Client, anna: Name) -> Any:
    fields = {"word_list": anna.word_list_id, "name": "Anna", "group": "writers", "position": 1}
    return client.post(reverse("admin:vocab_name_change", args=[anna.pk]), fields)


def save_table(client: Client, anna: Name) -> Any:
    fields = {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-id": anna.pk, "form-0-group": "writers"}
    page = f"{reverse('admin:vocab_name_changelist')}?q=Anna"
    return client.post(page, {**fields, "form-0-pronoun": "", "_save": "Save"})


def save_list(client: Client, anna: Name) -> Any:
    fields = {"slug": "three", "title": "Three", "entries-TOTAL_FORMS": 1, "entries-INITIAL_FORMS": 1}
    row = {"id": anna.pk, "word_list": anna.word_list_id, "name": "Anna", "group": "writers", "position": 1}
    inline = {f"entries-0-{name}": value for name, value in row.items()}
    return client.post(reverse("admin:vocab_namelist_change", args=[anna.word_list_id]), {**fields, **inline})


def remove(client: Client, anna: Name) -> Any:
    return client.post(reverse("admin:vocab_name_delete", args=[anna.pk]), {"post": "yes"})


def remove_selected(client: Client, anna: Name) -> Any:
    fields = {"action": "delete_selected", "_selected_action": anna.pk, "post": "yes"}
    return client.post(reverse("admin:vocab_name_changelist"), fields)


PAGES = [save, save_table, save_list, remove, remove_selected]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__)
def test_a_page_waits_for_an_import_and_then_does_its_work(
    elsewhere: Elsewhere, admin_client: Client, three_names: NameList, page: Callable[[Client, Name], Any]
) -> None:
    anna = Name.objects.get(name="Anna")
    with transaction.atomic():
        lock(NAMES, slug="three")
        answer = elsewhere(lambda: page(admin_client, anna))
        until_one_waits()
        Name.objects.filter(pk=anna.pk).update(note="imported")
    assert answer.result(timeout=PATIENCE).status_code == 302
    left = list(Name.objects.filter(name="Anna").values_list("group", flat=True))
    assert left == ([] if page in (remove, remove_selected) else ["writers"])


def test_an_entry_that_an_import_removes_is_not_saved_again(
    elsewhere: Elsewhere, admin_client: Client, three_names: NameList
) -> None:
    anna = Name.objects.get(name="Anna")
    with transaction.atomic():
        lock(NAMES, slug="three")
        elsewhere(lambda: save(admin_client, anna))
        until_one_waits()
        Name.objects.filter(pk=anna.pk).delete()
    elsewhere(lambda: None).result(timeout=PATIENCE)
    assert not Name.objects.filter(name="Anna").exists()


def removal(word_list_pk: int) -> Any:
    return EVENTS[NameList].objects.get(pgh_obj=word_list_pk, pgh_label="delete")


def test_a_list_whose_name_somebody_takes_in_this_moment_is_not_brought_back(
    elsewhere: Elsewhere, three_names: NameList
) -> None:
    pk = three_names.pk
    three_names.delete()
    with transaction.atomic():
        NameList.objects.create(slug="three", title="Another")
        undone = elsewhere(lambda: undo(NAMES, removal(pk), of_list=True))
        until_one_waits()
    with pytest.raises(InputError, match="in this very moment"):
        undone.result(timeout=PATIENCE)


@pytest.mark.django_db(transaction=True)
def test_a_list_removed_without_a_context_comes_back_with_the_entries_it_had(three_names: NameList) -> None:
    pk = three_names.pk
    Name.objects.get(name="Ben").delete()
    three_names.delete()
    undo(NAMES, removal(pk), of_list=True)
    assert [name.name for name in NameList.objects.get().rows()] == ["Anna", "Cleo"]


@pytest.mark.django_db(transaction=True)
def test_an_entry_removed_earlier_in_the_same_context_stays_away(three_names: NameList) -> None:
    pk = three_names.pk
    with pghistory.context(test="one command"):
        Name.objects.get(name="Ben").delete()
        three_names.delete()
    undo(NAMES, removal(pk), of_list=True)
    assert [name.name for name in NameList.objects.get().rows()] == ["Anna", "Cleo"]


@pytest.mark.django_db(transaction=True)
def test_where_nothing_shows_which_entries_went_no_empty_list_comes_back(three_names: NameList) -> None:
    pk = three_names.pk
    Name.objects.filter(word_list=three_names).delete()
    three_names.delete()
    with pytest.raises(InputError, match="no record says which entries"):
        undo(NAMES, removal(pk), of_list=True)
    assert not NameList.objects.exists()
