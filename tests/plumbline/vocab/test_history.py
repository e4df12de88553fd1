from typing import Any

import pghistory
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from plumbline.vocab import history
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import Name, NameList

pytestmark = pytest.mark.django_db

NAMES = KINDS["names"]


def changes(list_id: int | None = None, entry_id: int | None = None, word: str = "") -> list[history.Change]:
    return history.changes(NAMES, list(history.references(NAMES, list_id, entry_id, word)))


def latest(names: NameList) -> history.Change:
    return changes(names.pk)[0]


def edits(change: history.Change) -> list[tuple[str, str, str]]:
    return [(edit.field, edit.old, edit.new) for edit in change.edits]


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_lists_and_entries_of_every_kind_are_recorded(kind: Any) -> None:
    word_list = kind.list_model.objects.create(slug="some", title="Some")
    values: dict[str, Any] = {column: f"a {column}" for column in kind.columns[: kind.entry_model.KEY]}
    values |= {"rating": 50.0} if "rating" in kind.columns else {}
    kind.entry_model.objects.create(word_list=word_list, **values)
    found = history.changes(kind, list(history.references(kind, word_list.pk, None, "")))
    assert {(change.what, change.reference.of_list) for change in found} == {("added", True), ("added", False)}


def test_a_change_shows_old_and_new(three_names: NameList) -> None:
    Name.objects.filter(name="Anna").update(name="Anne", group="writers")
    assert latest(three_names).what == "changed"
    assert latest(three_names).row == "Anne"
    assert edits(latest(three_names)) == [("name", "Anna", "Anne"), ("group", "readers", "writers")]


def test_a_removal_shows_what_was_lost(three_names: NameList) -> None:
    Name.objects.filter(name="Ben").delete()
    assert latest(three_names).what == "removed"
    assert ("name", "Ben", "") in edits(latest(three_names))


def test_bulk_writes_are_recorded_row_by_row(three_names: NameList) -> None:
    Name.objects.bulk_create(Name(word_list=three_names, name=f"Name {number}") for number in range(7))
    Name.objects.filter(name__startswith="Name").update(group="many")
    assert len(changes(three_names.pk, word="Name ")) == 14


def test_dating_a_list_is_no_change_of_it(three_names: NameList) -> None:
    before = len(changes(three_names.pk))
    three_names.save(update_fields=["modified_at"])
    assert len(changes(three_names.pk)) == before


def test_a_changed_name_is_found_by_its_old_form_and_by_its_new_one(three_names: NameList) -> None:
    Name.objects.filter(name="Anna").update(name="Birgit")
    for word in ("anna", "BIRG"):
        assert [(change.what, change.row) for change in changes(three_names.pk, word=word)] == [
            ("changed", "Birgit"),
            ("added", "Anna"),
        ]


def test_who_moved_an_entry_away_is_in_the_history_of_both_lists(three_names: NameList) -> None:
    other = NameList.objects.create(slug="other", title="Other")
    Name.objects.filter(name="Anna").update(word_list=other)
    for names in (three_names, other):
        assert ("word list", "three", "other") in edits(changes(names.pk, word="Anna")[0])


def test_the_author_is_a_person_or_a_command_or_not_known(
    three_names: NameList, admin_user: User, write_file: Any
) -> None:
    assert latest(three_names).who.startswith("not known")
    with pghistory.context(user=admin_user.pk):
        Name.objects.filter(name="Anna").update(name="Anne")
    assert latest(three_names).who == admin_user.username
    call_command("vocab", "import", "names", write_file("name\nDora\n"), "--list=dora")
    assert changes(word="Dora")[0].who.startswith("command vocab import")


def test_a_change_keeps_its_authors_name_after_the_account_is_deleted(three_names: NameList, admin_user: User) -> None:
    with pghistory.context(user=admin_user.pk):
        Name.objects.filter(name="Anna").update(name="Anne")
    number = admin_user.pk
    admin_user.delete()
    assert latest(three_names).who == f"user {number}, deleted since"


def test_who_is_called_otherwise_by_now_or_is_gone_is_reported_as_of_then(
    three_names: NameList, admin_user: User
) -> None:
    with pghistory.context(user=admin_user.pk, username=admin_user.username):
        Name.objects.filter(name="Anna").update(name="Anne")
    assert latest(three_names).who == "admin"
    User.objects.update(username="ada")
    assert latest(three_names).who == "ada, then called admin"
    admin_user.delete()
    assert latest(three_names).who == "admin, deleted since"


def test_the_history_outlives_its_list(three_names: NameList) -> None:
    number = three_names.pk
    three_names.delete()
    assert {change.list_slug for change in changes(number)} == {"three"}


def test_long_histories_take_no_more_queries(three_names: NameList) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            changes(three_names.pk)
        return len(captured)

    few = queries()
    Name.objects.bulk_create(Name(word_list=three_names, name=f"Name {number}") for number in range(40))
    Name.objects.update(group="many")
    assert queries() <= few + 1
    assert queries() <= 8
