"""The activity log: what is recorded, that nobody changes it, and who sees it."""

import csv
import io
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.contrib.auth.signals import user_login_failed
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from plumbline.accounts import sign_ins
from plumbline.accounts.deletions import recorded_models
from plumbline.accounts.models import Activity, ActivityEntry
from plumbline.accounts.second_factor import WRONG_CODE
from plumbline.accounts.sign_ins import MOST_REFUSED
from plumbline.audits.models import Plan, Run, WorkerProcess
from plumbline.vocab.models import NameList

pytestmark = pytest.mark.django_db

LIST = "admin:accounts_activityentry_changelist"


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", password="plumb-line-9")


def entries(activity: Activity) -> list[ActivityEntry]:
    return list(ActivityEntry.objects.filter(activity=activity).order_by("pk"))


def sign_in(name: str, password: str, **headers: Any) -> Client:
    client = Client(**headers)
    client.post(reverse("login"), {"username": name, "password": password})
    return client


@pytest.mark.parametrize(
    "statement", ["UPDATE accounts_activityentry SET about = ''", "DELETE FROM accounts_activityentry"]
)
def test_the_database_refuses_to_change_and_to_delete_entries(statement: str, ada: User) -> None:
    assert ActivityEntry.objects.exists()
    with pytest.raises(DatabaseError, match="Cannot update or delete"), transaction.atomic():
        connection.cursor().execute(statement)


def test_the_database_refuses_to_truncate_the_log(ada: User) -> None:
    with pytest.raises(DatabaseError, match="The activity log stays"), transaction.atomic():
        connection.cursor().execute("TRUNCATE accounts_activityentry")
    assert ActivityEntry.objects.exists()


def test_a_sign_in_and_a_sign_out_are_recorded_with_the_address(ada: User) -> None:
    client = sign_in("ada", "plumb-line-9", REMOTE_ADDR="192.0.2.7")
    client.post(reverse("logout"))
    (came,), (left,) = entries(Activity.SIGN_IN), entries(Activity.SIGN_OUT)
    assert (came.person, came.address) == (left.person, left.address) == (ada.pk, "192.0.2.7")


def test_a_refused_sign_in_names_the_account_and_never_what_was_typed(ada: User) -> None:
    sign_in("ada", "wrong")
    sign_in("my-secret-password", "wrong")
    known, unknown = entries(Activity.SIGN_IN_REFUSED)
    assert (known.account, known.person, known.address) == (ada.pk, None, "127.0.0.1")
    assert (unknown.account, unknown.about) == (None, "no account has the name that was typed")


def test_refused_sign_ins_of_one_site_do_not_fill_the_log(ada: User, settings: Settings) -> None:
    settings.AXES_ENABLED = False
    for number in range(MOST_REFUSED + 5):
        sign_in("ada", "wrong", REMOTE_ADDR=f"2001:db8:1:2::{number:x}")
    assert len(entries(Activity.SIGN_IN_REFUSED)) == MOST_REFUSED
    sign_in("ada", "wrong", REMOTE_ADDR="2001:db8:1:3::1")
    assert entries(Activity.SIGN_IN_REFUSED)[-1].address == "2001:db8:1:3::1"


def test_wrong_codes_are_recorded_however_many_there_were(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_ins, "MOST_REFUSED", 0)
    request = RequestFactory().post("/login/code/")
    user_login_failed.send("test", credentials={"username": "ada", "reason": WRONG_CODE}, request=request)
    assert [entry.about for entry in entries(Activity.SIGN_IN_REFUSED)] == [WRONG_CODE]


def test_roles_given_and_withdrawn_are_recorded_from_either_side(ada: User) -> None:
    curator, auditor = Group.objects.get(name="curator"), Group.objects.get(name="auditor")
    ada.groups.add(curator)
    auditor.user_set.add(ada)
    ada.groups.set([auditor])
    ada.groups.clear()
    assert [(entry.account, entry.about) for entry in entries(Activity.ROLE)] == [
        (ada.pk, "account created"),
        (ada.pk, "role curator given"),
        (ada.pk, "role auditor given"),
        (ada.pk, "role curator withdrawn"),
        (ada.pk, "role auditor withdrawn"),
    ]


def test_a_superuser_and_a_closed_account_are_recorded(ada: User) -> None:
    ada.is_superuser, ada.is_active = True, False
    ada.save()
    assert [entry.about for entry in entries(Activity.ROLE)[1:]] == ["active: no", "superuser: yes"]


def test_an_admin_who_changes_a_role_on_the_page_is_named_by_number(admin_client: Client, ada: User) -> None:
    role = Group.objects.get(name="curator")
    fields = {"username": "ada", "is_active": "on", "groups": [role.pk]}
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    admin_client.post(reverse("admin:auth_user_change", args=[ada.pk]), fields | joined)
    entry = entries(Activity.ROLE)[-1]
    assert entry.about == "role curator given"
    assert (entry.person, entry.account) == (User.objects.get(username="admin").pk, ada.pk)


def test_a_deletion_on_a_page_is_recorded_with_its_author(admin_client: Client) -> None:
    names = NameList.objects.create(slug="gone", title="Gone")
    admin_client.post(reverse("admin:vocab_namelist_delete", args=[names.pk]), {"post": "yes"})
    assert not NameList.objects.filter(slug="gone").exists()
    (entry,) = entries(Activity.DELETION)
    assert entry.about.endswith(": Gone")
    assert entry.person == User.objects.get(username="admin").pk


def test_deletions_of_many_rows_in_one_statement_are_recorded(ada: User) -> None:
    number = ada.pk
    User.objects.filter(pk=number).delete()
    (entry,) = entries(Activity.DELETION)
    assert (entry.account, entry.about) == (number, f"account {number}")


def test_runs_plans_lists_and_accounts_are_among_what_is_recorded() -> None:
    assert {Run, Plan, NameList, User, Group} <= set(recorded_models())
    assert WorkerProcess not in recorded_models()


def test_a_file_that_a_page_sends_is_recorded(admin_client: Client) -> None:
    slug = NameList.objects.create(slug="n", title="N").slug
    response = admin_client.get(reverse("admin:vocab_namelist_export"), {"format": "csv", "list": slug})
    assert response["Content-Disposition"].startswith("attachment")
    (entry,) = entries(Activity.EXPORT)
    assert entry.person == User.objects.get(username="admin").pk
    assert "/admin/vocab/namelist/" in entry.about


def test_an_export_of_a_command_is_recorded(tmp_path: Any) -> None:
    call_command("vocab", "export", "names", out=tmp_path / "names.csv")
    (entry,) = entries(Activity.EXPORT)
    assert entry.command.startswith("vocab export names")
    assert entry.about == f"to {tmp_path / 'names.csv'}"


def test_a_role_that_a_command_gives_names_the_command(ada: User) -> None:
    call_command("person", "role", "ada", "--role", "curator")
    entry = entries(Activity.ROLE)[-1]
    assert entry.about == "role curator given"
    assert entry.command.startswith("person role")


def test_the_list_shows_present_names_and_exports_them_without_formulas(admin_client: Client, ada: User) -> None:
    sign_in("ada", "plumb-line-9")
    Group.objects.create(name="=1+1").user_set.add(ada)
    ada.username = "grace"
    ada.save()
    page = admin_client.get(reverse(LIST), {"q": "grace"}).content.decode()
    assert "grace" in page
    picked = [entry.pk for entry in ActivityEntry.objects.all()]
    sent = admin_client.post(reverse(LIST), {"action": "export", "_selected_action": picked})
    rows = list(csv.DictReader(io.StringIO(sent.content.decode())))
    assert [row["account"] for row in rows if row["activity"] == "sign_in" and row["who"] == "grace"] == ["grace"]
    assert len(rows) == len(picked)


def test_a_deleted_account_is_shown_by_its_number(admin_client: Client, ada: User) -> None:
    number = ada.pk
    ada.delete()
    assert f"account {number}, deleted since" in admin_client.get(reverse(LIST)).content.decode()


def test_nobody_adds_or_changes_an_entry_on_a_page(admin_client: Client, ada: User) -> None:
    entry = ActivityEntry.objects.latest("pk")
    assert admin_client.get(reverse("admin:accounts_activityentry_add")).status_code == 403
    assert admin_client.post(reverse("admin:accounts_activityentry_delete", args=[entry.pk])).status_code == 403
    change = reverse("admin:accounts_activityentry_change", args=[entry.pk])
    assert admin_client.get(change).status_code == 200
    assert admin_client.post(change, {"about": "x"}).status_code == 403
