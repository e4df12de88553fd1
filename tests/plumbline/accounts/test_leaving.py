"""A person who leaves: no table has the name afterwards, and what the person did stays one person's."""

import re
from datetime import date
from typing import Any

import pghistory
import pgtrigger
import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, User
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from psycopg.types.json import Jsonb

from plumbline.accounts import invitations, leaving, second_factor
from plumbline.accounts.models import Activity, ActivityEntry
from plumbline.alerts.models import RuleSet
from plumbline.api import tokens
from plumbline.audits.models import Notice, Run, Schedule
from plumbline.audits.states import RunState
from plumbline.findings import judging
from plumbline.findings.models import Comment, Finding, SignOff, State, Vote
from plumbline.findings.sign_off.signing import readiness, sign, withdraw
from plumbline.findings.updating import update
from plumbline.spec.errors import InputError
from plumbline.vocab.models import NameList
from plumbline.vocab.models.recorded import EVENTS
from tests.plumbline.findings.audited import a_plan, a_run, difference

pytestmark = pytest.mark.django_db
NAME, MAIL, PASSWORD = "zebedee.quill", "zeb@quill.example", "plumb-line-9"
TRACES = re.compile(r"zebedee|quill|zeb[.@]", re.IGNORECASE)
"""The names and addresses, and no shorter: three letters stand by chance in one of some hundred sessions."""


def person(name: str, role: str = "admin", **fields: Any) -> User:
    made = User.objects.create_user(name, password=PASSWORD, **fields)
    made.groups.set(Group.objects.filter(name=role))
    return made


@pytest.fixture
def zebedee(admin_user: User) -> User:
    invited = invitations.invite(MAIL, Group.objects.filter(name="admin"), admin_user)
    one = User(username="zeb.before", first_name="Zebedee", last_name="Quill", email=MAIL)
    one.set_password(PASSWORD)
    with transaction.atomic():
        invitations.accept(invited, one)
    return one


@pytest.fixture
def grace() -> User:
    return person("grace")


def as_user(who: User) -> Any:
    """Act as a page does: with the number and the name of the person in the history."""
    return pghistory.context(user=who.pk, username=who.get_username())


@pytest.fixture
def work(zebedee: User, grace: User) -> Run:
    """Everything that leaves a name somewhere, half of it under an earlier name of the person."""
    Client().post(reverse("login"), {"username": MAIL, "password": "wrong"})
    with as_user(zebedee):
        NameList.objects.create(slug="n", title="N")
    zebedee.username = NAME
    zebedee.save()
    client = Client()
    client.post(reverse("login"), {"username": NAME, "password": "wrong"})
    client.post(reverse("login"), {"username": NAME, "password": PASSWORD})
    second_factor.renew_recovery_codes(zebedee)
    tokens.make("nightly", ["read"], 7, person=None, by=zebedee)
    tokens.make("of zebedee", ["read"], 7, person=zebedee, by=zebedee)
    RuleSet.objects.create(name="r", probe="ilps", rules="rules: []", notify=f"ops@example.org\n{MAIL}")
    EmailAddress.objects.create(user=zebedee, email=MAIL)
    page = reverse("admin:auth_user_change", args=[zebedee.pk])
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    kept = {"username": NAME, "first_name": "Zebedee", "last_name": "Quill", "email": MAIL, "is_active": "on"}
    admin = Client()
    admin.force_login(User.objects.get(username="admin"))
    assert admin.post(page, {**kept, "groups": [Group.objects.get(name="admin").pk], **joined}).status_code == 302
    Schedule.objects.create(plan=a_plan(), cron="0 6 * * 1", notify=f"{MAIL}\nops@example.org", created_by=zebedee)
    Notice.objects.create(key="k", recipients=[MAIL, "ops@example.org"], subject="s", body="b")
    run = a_run(difference("warm", 0.6), plan=a_plan(), created_by=grace)
    update(run)
    _decide(run, zebedee, grace)
    live = Run.objects.create(model="hub:org/m@a", name="x", probe="ilps", spec={}, state=RunState.QUEUED)
    client.post(reverse("run_cancel", args=[live.pk]))
    live.refresh_from_db()
    assert live.error == f"cancelled by {NAME}"
    return run


def _decide(run: Run, zebedee: User, grace: User) -> None:
    findings = list(Finding.objects.values_list("pk", flat=True))
    with as_user(zebedee):
        judging.judge(findings, zebedee, State.CONFIRMED, "seen")
        judging.assign(findings, zebedee, date(2030, 1, 1))
        judging.comment(findings[0], zebedee, "I looked at it.")
    signer = person("linus")
    with as_user(signer):
        judging.vote(findings[0], signer, State.CONFIRMED)
        withdraw(sign(run, signer).pk, signer, "again")
    with as_user(grace):
        judging.judge(findings, grace, State.CONFIRMED, "seen")
    with as_user(zebedee):
        withdraw(sign(run, zebedee).pk, zebedee, "again")


def traces() -> list[tuple[str, str, str]]:
    """Return each value of each column of all tables that holds a trace of the person."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.table_schema, c.table_name, c.column_name FROM information_schema.columns c"
            " JOIN information_schema.tables t USING (table_schema, table_name)"
            " WHERE t.table_type = 'BASE TABLE' AND c.table_schema NOT IN ('pg_catalog', 'information_schema')"
            " AND (c.data_type IN ('text', 'character varying', 'character', 'json', 'jsonb', 'ARRAY', 'bytea'))"
        )
        for schema, table, column in cursor.fetchall():
            cursor.execute(
                f'SELECT "{column}"::text FROM "{schema}"."{table}" WHERE "{column}"::text ~* %s',  # noqa: S608
                [TRACES.pattern],
            )
            found += [(table, column, str(value)) for (value,) in cursor.fetchall()]
    return found


def test_no_table_holds_the_name_or_the_address_afterwards(work: Run, zebedee: User, grace: User) -> None:
    before = {(table, column) for table, column, _ in traces()}
    assert {
        ("auth_user", "username"),
        ("pghistory_context", "metadata"),
        ("findings_signoffevent", "findings"),
        ("findings_voteevent", "person_name"),
        ("audits_scheduleevent", "notify"),
        ("axes_accessattempt", "username"),
        ("django_admin_log", "object_repr"),
        ("api_token", "made_name"),
        ("alerts_rulesetevent", "notify"),
        ("audits_run", "error"),
    } <= before
    leaving.leave(zebedee, grace)
    assert traces() == []


def test_what_the_person_did_stays_one_persons_and_nobody_elses(work: Run, zebedee: User, grace: User) -> None:
    events = {model: rows.objects.count() for model, rows in EVENTS.items()}
    leaving.leave(zebedee, grace)
    name = f"Person {zebedee.pk} (left)"
    assert {model: rows.objects.count() for model, rows in EVENTS.items()} == events
    assert Comment.objects.get().author_name == name
    assert set(Vote.objects.values_list("person_name", flat=True)) == {name, "grace", "linus"}
    first, second = SignOff.objects.order_by("pk")
    assert (first.signed_name, second.signed_name, second.withdrawn_name) == ("linus", name, name)
    assert first.findings[0]["judged_by"] == name
    assert first.findings[0]["votes"] == {name: "confirmed", "linus": "confirmed"}
    assert second.findings[0]["judged_by"] == "grace"
    assert second.findings[0]["assignee"] == name


def test_the_rule_of_two_people_holds_for_a_run_of_somebody_who_left(zebedee: User, grace: User) -> None:
    run = a_run(difference("warm", 0.6), plan=a_plan(), created_by=zebedee)
    update(run)
    judging.judge(list(Finding.objects.values_list("pk", flat=True)), zebedee, State.CONFIRMED, "seen")
    leaving.leave(zebedee, grace)
    zebedee.refresh_from_db()
    assert [one.name for one in readiness(run, zebedee).missing] == ["not launcher", "not judge"]
    assert not readiness(run, grace).missing
    sign(run, grace)


def test_the_account_is_closed_for_good(work: Run, zebedee: User, grace: User) -> None:
    client = Client()
    client.force_login(zebedee)
    leaving.leave(zebedee, grace)
    assert client.get(reverse("overview")).status_code == 302
    zebedee.refresh_from_db()
    assert not zebedee.is_active
    assert not zebedee.has_usable_password()
    assert not zebedee.groups.exists()
    entry = ActivityEntry.objects.get(activity=Activity.LEFT)
    assert (entry.person, entry.account) == (grace.pk, zebedee.pk)


def test_the_preview_names_the_rows_and_changes_none(work: Run, zebedee: User, grace: User) -> None:
    client, before = Client(), traces()
    client.force_login(grace)
    judging.comment(Finding.objects.get().pk, grace, f"{NAME} should look at it.")
    page = client.get(reverse("person_leaving", args=[zebedee.pk])).content.decode()
    assert f"Replace the name by Person {zebedee.pk} (left)" in page
    assert "sign offs: signed name" in page
    assert re.search(r"<td>comments</td>\s*<td>text</td>\s*<td class=\"number\">1</td>", page)
    assert len(traces()) == len(before) + 1
    client.post(reverse("person_leave", args=[zebedee.pk]))
    assert [table for table, _, _ in traces()] == ["findings_comment"]


def test_nobody_removes_the_own_account_or_the_last_superuser(admin_user: User, grace: User) -> None:
    with pytest.raises(InputError, match="your own account"):
        leaving.leave(grace, grace)
    with pytest.raises(InputError, match="only another active superuser"):
        leaving.leave(admin_user, grace)
    zebedee = person(NAME)
    leaving.leave(zebedee, grace)
    with pytest.raises(InputError, match="has left already"):
        leaving.leave(zebedee, grace)


def test_another_account_that_took_an_old_name_keeps_it(work: Run, zebedee: User, grace: User) -> None:
    heir = person("zeb.before")
    with as_user(heir):
        judging.vote(Finding.objects.get().pk, heir, State.DISMISSED)
    leaving.leave(zebedee, grace)
    assert Vote.objects.get(person=heir).person_name == "zeb.before"


@pytest.mark.parametrize("change", [
    "UPDATE findings_voteevent SET state = 'dismissed'",
    "UPDATE findings_voteevent SET person_name = 'grace' WHERE person_id = {pk}",
    "UPDATE findings_voteevent SET person_name = 'Person {pk} (left)' WHERE person_id <> {pk}",
    "UPDATE findings_signoffevent SET findings = '[]'",
    "UPDATE audits_scheduleevent SET notify = 'eve@example.org'",
    "DELETE FROM findings_voteevent",
])  # fmt: skip
def test_the_exception_of_the_history_allows_nothing_else(change: str, work: Run, zebedee: User) -> None:
    # The triggers stay ignored until the savepoint is taken back.
    with pgtrigger.ignore(), pytest.raises(DatabaseError, match="history stays"):
        as_if_leaving(zebedee, change.format(pk=zebedee.pk))


@transaction.atomic
def as_if_leaving(who: User, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('plumbline.person_left', %s, true)", [str(who.pk)])
        cursor.execute(statement)


@pytest.mark.parametrize(("becomes", "allowed"), [
    ({"user": 7, "username": "Person 7 (left)", "url": "/"}, True),
    ({"user": 7, "username": "grace", "url": "/"}, False),
    ({"user": 8, "username": "Person 7 (left)", "url": "/"}, False),
    ({"user": 7, "username": "Person 7 (left)", "url": "/elsewhere/"}, False),
])  # fmt: skip
def test_of_an_author_only_the_name_goes(becomes: dict[str, Any], allowed: bool) -> None:
    was = {"id": 1, "metadata": {"user": 7, "username": "zeb", "url": "/"}}
    with connection.cursor() as cursor:
        rows: list[Any] = [Jsonb(was), Jsonb(was | {"metadata": becomes})]
        cursor.execute("SELECT only_a_name_goes(%s, %s, '7'), only_a_name_goes(%s, %s, '8')", [*rows, *rows])
        assert cursor.fetchone() == (allowed, False)


def links_to_leave(client: Client) -> set[int]:
    page = client.get(reverse("people")).content.decode()
    return {int(found) for found in re.findall(r"/people/(\d+)/leaving/", page)}


def test_the_list_links_only_to_leaving_pages_that_open(client: Client, admin_user: User, grace: User) -> None:
    zebedee, left = person(NAME), person("gone")
    leaving.leave(left, grace)
    client.force_login(grace)
    opening = {
        one.pk for one in User.objects.all() if client.get(reverse("person_leaving", args=[one.pk])).status_code == 200
    }
    assert links_to_leave(client) == opening == {zebedee.pk}
    client.post(reverse("person_leave", args=[admin_user.pk]))
    admin_user.refresh_from_db()
    assert admin_user.is_superuser
    client.force_login(admin_user)
    assert links_to_leave(client) == {zebedee.pk, grace.pk}


def test_many_superusers_cost_the_list_no_query(
    client: Client, admin_user: User, django_assert_num_queries: Any
) -> None:
    client.force_login(admin_user)
    with CaptureQueriesContext(connection) as few:
        client.get(reverse("people"))
    for number in range(4):
        person(f"super{number}", is_superuser=True)
    with django_assert_num_queries(len(few)):
        client.get(reverse("people"))
