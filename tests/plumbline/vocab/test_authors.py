"""What is recorded of authors stands: on real transactions, for within one a context is open."""

from typing import Any

import pghistory
import pgtrigger
import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.utils import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from pghistory.models import Context

from plumbline.vocab.authors import HistoryMiddleware
from plumbline.vocab.models import Name, NameList
from plumbline.vocab.models.recorded import EVENTS

REFUSED = "The history stays as it was written"


def rename(client: Client, names: NameList) -> Name:
    anna = Name.objects.get(name="Anna")
    fields = {"word_list": names.pk, "name": "Anne", "group": "readers", "position": 1}
    assert client.post(reverse("admin:vocab_name_change", args=[anna.pk]), fields).status_code == 302
    return anna


def context_of(entry: Name) -> Any:
    return EVENTS[Name].objects.filter(pgh_obj=entry.pk).latest("pk").pgh_context


@pytest.mark.django_db
def test_a_page_records_the_number_and_the_name_of_its_author(admin_client: Client, three_names: NameList) -> None:
    admin = User.objects.get(username="admin")
    metadata = context_of(rename(admin_client, three_names)).metadata
    assert (metadata["user"], metadata["username"]) == (admin.pk, "admin")


@pytest.mark.django_db
def test_who_becomes_known_within_a_request_is_recorded_by_name_too(three_names: NameList, admin_user: User) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        request.user = admin_user
        Name.objects.filter(name="Anna").update(note="by a token")
        return HttpResponse()

    HistoryMiddleware(view)(RequestFactory().post("/"))
    metadata = context_of(Name.objects.get(name="Anna")).metadata
    assert (metadata["user"], metadata["username"]) == (admin_user.pk, "admin")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", ["update", "delete"])
def test_no_author_is_changed_or_removed(three_names: NameList, change: str) -> None:
    with pghistory.context(user=1, username="ada"):
        Name.objects.filter(name="Anna").update(name="Anne")
    contexts = Context.objects.filter(metadata__username="ada")
    with pytest.raises(DatabaseError, match=REFUSED):
        contexts.update(metadata={"user": 2}) if change == "update" else contexts.delete()
    assert contexts.get().metadata["user"] == 1


@pytest.mark.django_db(transaction=True)
def test_what_more_is_known_of_a_change_within_its_transaction_is_recorded(three_names: NameList) -> None:
    with transaction.atomic(), pghistory.context(user=1), transaction.atomic():
        Name.objects.filter(name="Anna").update(name="Anne")
        with pghistory.context(undoes=7), transaction.atomic():
            Name.objects.filter(name="Ben").update(name="Benno")
    assert context_of(Name.objects.get(name="Benno")).metadata == {"user": 1, "undoes": 7}


@pytest.mark.django_db(transaction=True)
def test_a_context_is_closed_with_its_transaction(three_names: NameList) -> None:
    with pghistory.context(user=1):
        Name.objects.filter(name="Anna").update(name="Anne")
        Name.objects.filter(name="Ben").update(name="Benno")
        with pghistory.context(user=2), pytest.raises(DatabaseError, match=REFUSED):
            Name.objects.filter(name="Cleo").update(name="Clio")
    assert context_of(Name.objects.get(name="Benno")).metadata == {"user": 1}
    assert Name.objects.filter(name="Cleo").exists()


@pytest.mark.django_db
@pytest.mark.parametrize("model", EVENTS, ids=lambda model: model._meta.label)
def test_no_recorded_change_is_changed_or_removed_whoever_asks(model: Any) -> None:
    table = EVENTS[model]._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgtype FROM pg_trigger WHERE tgname = 'history_stays' AND tgrelid = %s::regclass"
            " AND tgenabled = 'O'",
            [table],
        )
        # For each row (1), before (2), at a DELETE (8) and at an UPDATE (16): as pg_trigger has it.
        assert cursor.fetchall() == [(27,)]


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["update", "delete"])
def test_nobody_alters_the_history_even_without_pgtrigger(three_names: NameList, change: str) -> None:
    events = EVENTS[Name].objects.all()
    with pgtrigger.ignore(), pytest.raises(DatabaseError, match=REFUSED), transaction.atomic():
        events.update(name="Nobody") if change == "update" else events.delete()
    assert events.count() == 3


@pytest.mark.django_db(transaction=True)
def test_accounts_and_lists_go_and_their_history_stays(admin_client: Client, three_names: NameList) -> None:
    anna = rename(admin_client, three_names)
    User.objects.all().delete()
    three_names.delete()
    assert EVENTS[Name].objects.filter(pgh_obj=anna.pk).count() == 3
    assert Context.objects.filter(metadata__username="admin").exists()
