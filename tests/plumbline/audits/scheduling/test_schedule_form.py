"""A schedule is made in plain words, its next times are shown before, and Run now launches it at once."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from plumbline.accounts import mail
from plumbline.audits import clock
from plumbline.audits.models import Launch, Outcome, Plan, Run, Schedule
from plumbline.audits.states import Priority
from plumbline.vocab.models import GroupList
from tests.plumbline.audits.conftest import SPEC

pytestmark = pytest.mark.usefixtures("curated")

ADD, TIMES = "admin:audits_schedule_add", "admin:audits_schedule_times"
May = Callable[..., User]


@pytest.fixture
def may(client: Client) -> May:
    """Log in somebody who has these permissions, and no others."""

    def logged_in(*codenames: str) -> User:
        user, _ = User.objects.get_or_create(username="anna", is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
        client.force_login(user)
        return user

    return logged_in


@pytest.fixture
def plan() -> Plan:
    return Plan.objects.create(name="traits", spec=SPEC)


@pytest.fixture
def schedule(plan: Plan) -> Schedule:
    return Schedule.objects.create(plan=plan, cron="0 6 * * 1", zone="Europe/Berlin")


WEEKLY = {"how_often": "weekly", "weekdays": ["0", "3"], "at": "06:00", "zone": "Europe/Berlin"}


def scheduler(may: May) -> User:
    return may("view_schedule", "add_schedule", "change_schedule", "add_run", "view_plan", "view_modelunderaudit")


@pytest.mark.parametrize(
    ("fields", "made"),
    [
        (WEEKLY, "0 6 * * 1,4"),
        ({"how_often": "daily", "at": "23:05", "zone": "UTC", "cron": "nonsense"}, "5 23 * * *"),
        ({"how_often": "monthly", "day": "L", "at": "6:00", "zone": "UTC"}, "0 6 L * *"),
    ],
)
def test_plain_words_make_a_schedule(client: Client, may: May, plan: Plan, fields: dict[str, Any], made: str) -> None:
    scheduler(may)
    assert client.post(reverse(ADD), {"plan": plan.pk, **fields}).status_code == 302
    assert Schedule.objects.get().cron == made


def test_a_new_schedule_leads_to_its_page_with_run_now_and_pause(client: Client, may: May, plan: Plan) -> None:
    scheduler(may)
    page = client.post(reverse(ADD), {"plan": plan.pk, **WEEKLY}, follow=True)
    schedule = Schedule.objects.get()
    assert page.redirect_chain[-1][0] == reverse("admin:audits_schedule_change", args=[schedule.pk])
    assert reverse("admin:audits_schedule_run_now", args=[schedule.pk]) in page.content.decode()


def test_all_errors_are_told_at_once(client: Client, may: May, plan: Plan) -> None:
    scheduler(may)
    fields = {"how_often": "weekly", "at": "", "zone": "Berlin", "notify": "anna"}
    answer = client.post(reverse(ADD), fields)
    assert set(answer.context["adminform"].form.errors) == {"plan", "weekdays", "at", "zone", "notify"}
    answer = client.post(reverse(ADD), {"plan": plan.pk, "how_often": "cron", "cron": "0 6", "zone": "Berlin"})
    assert set(answer.context["adminform"].form.errors) == {"cron", "zone"}


def test_the_form_says_where_no_mail_is_sent(client: Client, may: May, settings: Settings) -> None:
    scheduler(may)
    settings.EMAIL_BACKEND = mail.DUMMY
    assert "No mail is sent now, because EMAIL_URL is not set" in client.get(reverse(ADD)).content.decode()
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert "No mail is sent now" not in client.get(reverse(ADD)).content.decode()


def test_the_form_asks_in_the_order_of_its_sentence(client: Client, may: May) -> None:
    """How often, when, and in which zone: a help text says that the zone is below the time."""
    scheduler(may)
    fields = client.get(reverse(ADD)).context["adminform"].fieldsets[0][1]["fields"]
    assert fields[:8] == ["plan", "audited_models", "how_often", "weekdays", "day", "at", "cron", "zone"]


def test_the_next_times_and_their_zone_are_shown_before_saving(client: Client, may: May) -> None:
    may("view_schedule")
    shown = client.post(reverse(TIMES), WEEKLY).content.decode()
    assert "Due every Monday and Thursday at 06:00, Europe/Berlin." in shown
    assert shown.count("<li>") == shown.count(", 06:00 (UTC+0") == 5
    paused = client.post(reverse(TIMES), {**WEEKLY, "paused": "on"}).content.decode()
    assert "It is paused: nothing is launched at these times." in paused
    wrong = client.post(reverse(TIMES), {**WEEKLY, "zone": "Berlin", "at": ""}).content.decode()
    assert "Time: Give the time of day" in wrong
    assert "there is no time zone" in wrong
    may("view_plan")
    assert client.post(reverse(TIMES), WEEKLY).status_code == 403


def test_a_page_shows_the_words_of_its_schedule(client: Client, may: May, schedule: Schedule) -> None:
    page = reverse("admin:audits_schedule_change", args=[schedule.pk])
    scheduler(may)
    form = client.get(page).context["adminform"].form
    shown = {name: form[name].value() for name in ("how_often", "weekdays", "at")}
    assert shown == {"how_often": "weekly", "weekdays": ["0"], "at": "06:00"}
    may("view_schedule")
    assert "every Monday at 06:00, Europe/Berlin" in client.get(page).content.decode()


def test_two_people_who_edit_one_schedule_lose_nothing(client: Client, may: May, schedule: Schedule) -> None:
    """One changes the time, the other only pauses it, on a page that was opened before."""
    scheduler(may)
    page = reverse("admin:audits_schedule_change", args=[schedule.pk])
    old = client.get(page).context["adminform"].form
    sent = {"plan": schedule.plan_id, "cron": schedule.cron, "zone": "Europe/Berlin", "seen": old["seen"].value()}
    schedule.cron = "0 7 * * 2"
    schedule.save()
    answer = client.post(page, {**sent, "how_often": "weekly", "weekdays": ["0"], "at": "06:00", "paused": "on"})
    form = answer.context["adminform"].form
    (told,) = form.non_field_errors()
    assert "time (was 06:00, now 07:00)" in told
    shown = {name: form[name].value() for name in ("how_often", "weekdays", "at", "paused")}
    assert shown == {"how_often": "weekly", "weekdays": ["1"], "at": "07:00", "paused": True}
    again = {**sent, "seen": form["seen"].value(), "weekdays": ["1"], "at": "07:00", "how_often": "weekly"}
    assert client.post(page, {**again, "cron": "0 7 * * 2", "paused": "on"}).status_code == 302
    schedule.refresh_from_db()
    assert (schedule.cron, schedule.paused) == ("0 7 * * 2", True)


def test_run_now_launches_at_once_and_leaves_the_times(client: Client, may: May, schedule: Schedule) -> None:
    user = may("view_schedule", "add_run")
    page, due = reverse("admin:audits_schedule_run_now", args=[schedule.pk]), schedule.next_due_at
    assert page in client.get(reverse("admin:audits_schedule_change", args=[schedule.pk])).content.decode()
    assert "every Monday at 06:00" in client.get(page).content.decode()
    assert not Run.objects.exists()
    shown = client.post(page, opened(client, page), follow=True).content.decode()
    run, entry = Run.objects.get(), Launch.objects.get()
    assert f'<a class="underline" href="{reverse("run", args=[run.pk])}">run {run.pk}</a>' in shown
    assert (run.created_by, run.priority, entry.run, entry.outcome) == (
        user,
        Priority.INTERACTIVE,
        run,
        Outcome.LAUNCHED,
    )
    assert entry.due_at <= clock.now()
    schedule.refresh_from_db()
    assert schedule.next_due_at == due


def test_run_now_of_a_paused_schedule_does_not_say_that_it_is_due(client: Client, may: May, schedule: Schedule) -> None:
    may("view_schedule", "add_run")
    schedule.paused = True
    schedule.save()
    page = client.get(reverse("admin:audits_schedule_run_now", args=[schedule.pk])).content.decode()
    assert "every Monday at 06:00" not in page
    assert "stays as it is: paused." in " ".join(page.split())


def opened(client: Client, page: str) -> dict[str, str]:
    """What the form of an opened page sends."""
    found = re.search('name="asked_at" value="([^"]+)"', client.get(page).content.decode())
    assert found
    return {"asked_at": found[1]}


def test_two_clicks_on_run_now_launch_once_and_both_lead_to_the_run(
    client: Client, may: May, schedule: Schedule
) -> None:
    may("view_schedule", "add_run")
    page = reverse("admin:audits_schedule_run_now", args=[schedule.pk])
    form = opened(client, page)
    for _ in range(2):
        shown = client.post(page, form, follow=True).content.decode()
        assert f">run {Run.objects.get().pk}</a>" in shown
    client.post(page, opened(client, page))
    assert Run.objects.count() == Launch.objects.count() == 2


@pytest.mark.parametrize("asked_at", ["", "yesterday", "2020-01-01T00:00:00+00:00", "9999-01-01T00:00:00+00:00"])
def test_a_page_from_another_time_launches_nothing_and_says_so(
    client: Client, may: May, schedule: Schedule, asked_at: str
) -> None:
    may("view_schedule", "add_run")
    answer = client.post(reverse("admin:audits_schedule_run_now", args=[schedule.pk]), {"asked_at": asked_at})
    (message,) = (str(one) for one in get_messages(answer.wsgi_request))
    assert "open it again" in message
    assert not Launch.objects.exists()


def test_run_now_of_a_plan_that_cannot_be_launched_says_why(client: Client, may: May, schedule: Schedule) -> None:
    may("view_schedule", "add_run")
    GroupList.objects.all().delete()
    page = reverse("admin:audits_schedule_run_now", args=[schedule.pk])
    answer = client.post(page, opened(client, page))
    (message,) = (str(one) for one in get_messages(answer.wsgi_request))
    assert message.startswith("plan traits: there is no groups list")
    assert not Launch.objects.exists()


def test_a_button_pauses_and_resumes_a_schedule(client: Client, may: May, schedule: Schedule) -> None:
    may("view_schedule", "change_schedule", "add_run")
    page, change = (reverse(f"admin:audits_schedule_{one}", args=[schedule.pk]) for one in ("pause", "change"))
    assert ">Pause</button>" in client.get(change).content.decode()
    shown = client.post(page, {"paused": "1"}, follow=True).content.decode()
    assert "is paused: it launches nothing until somebody resumes it. “Run now” launches all the same." in shown
    assert ">Resume</button>" in shown
    schedule.refresh_from_db()
    assert (schedule.paused, schedule.next_due_at) == (True, None)
    assert "is resumed. It is next due at" in client.post(page, {"paused": "0"}, follow=True).content.decode()
    schedule.refresh_from_db()
    assert schedule.next_due_at is not None
    history = client.get(reverse("admin:audits_schedule_changes"), {"list": schedule.pk}).content.decode()
    assert history.count("paused") >= 2


@pytest.mark.parametrize("held", [("view_schedule", "add_run"), ("view_schedule", "change_schedule")])
def test_only_who_may_edit_a_schedule_pauses_it(
    client: Client, may: May, schedule: Schedule, held: tuple[str, ...]
) -> None:
    may(*held)
    page, change = (reverse(f"admin:audits_schedule_{one}", args=[schedule.pk]) for one in ("pause", "change"))
    assert client.post(page, {"paused": "1"}).status_code == 403
    assert page not in client.get(change).content.decode()
    schedule.refresh_from_db()
    assert not schedule.paused


def test_a_link_pauses_no_schedule(client: Client, may: May, schedule: Schedule) -> None:
    may("view_schedule", "change_schedule", "add_run")
    assert client.get(reverse("admin:audits_schedule_pause", args=[schedule.pk])).status_code == 405


def test_who_may_not_launch_has_no_run_now(client: Client, may: May, schedule: Schedule) -> None:
    may("view_schedule", "change_schedule")
    page = reverse("admin:audits_schedule_run_now", args=[schedule.pk])
    assert client.post(page).status_code == 403
    assert page not in client.get(reverse("admin:audits_schedule_change", args=[schedule.pk])).content.decode()


def test_every_page_of_a_schedule_gives_its_times_in_its_zone(client: Client, may: May, schedule: Schedule) -> None:
    may("view_schedule", "view_run", "view_plan")
    pages = [reverse("admin:audits_schedule_changelist"), reverse("plan", args=[schedule.plan_id])]
    pages.append(reverse("admin:audits_schedule_change", args=[schedule.pk]))
    due = r"\d{4}-\d\d-\d\d 06:00, Europe/Berlin"
    assert [page for page in pages if not re.search(due, client.get(page).content.decode())] == []
    Schedule.objects.update(zone="Nowhere/Gone")
    assert ", UTC" in client.get(pages[0]).content.decode()


def test_the_page_of_a_plan_leads_who_may_launch_to_the_form_of_a_schedule(
    client: Client, may: May, plan: Plan
) -> None:
    page, form = reverse("plan", args=[plan.pk]), f"{reverse(ADD)}?plan={plan.pk}"
    may("view_run", "add_schedule")
    assert form not in client.get(page).content.decode()
    may("view_run", "add_schedule", "add_run", "view_plan", "view_modelunderaudit")
    assert form in client.get(page).content.decode()
    assert client.get(form).context["adminform"].form["plan"].value() == str(plan.pk)


def test_who_changes_a_schedule_launches_its_runs_from_then_on(client: Client, may: May, schedule: Schedule) -> None:
    ada = User.objects.create(username="ada")
    Schedule.objects.update(created_by=ada)
    anna = scheduler(may)
    change = reverse("admin:audits_schedule_change", args=[schedule.pk])
    other = Plan.objects.create(name="annas", spec=SPEC)
    sent = {"plan": other.pk, "how_often": "cron", "cron": "* * * * *", "zone": "UTC"}
    assert client.post(change, sent).status_code == 302
    schedule.refresh_from_db()
    assert (schedule.plan, schedule.created_by) == (other, anna), "nobody launches in the name of another person"
