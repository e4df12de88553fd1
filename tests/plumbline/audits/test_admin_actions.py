"""Launching, pausing and sending from the admin's pages: who may, and what is said."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.contrib.messages import get_messages
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from plumbline.audits import clock
from plumbline.audits.launching import launch
from plumbline.audits.mail import notices
from plumbline.audits.models import Comparison, Launch, ModelUnderAudit, Notice, Outcome, Plan, Run, Schedule
from plumbline.audits.states import Priority
from plumbline.findings.updating import update
from plumbline.spec.audit import parse
from plumbline.vocab.models import Attribute, GroupList
from tests.plumbline.audits.conftest import SPEC
from tests.plumbline.findings.audited import a_run, difference

pytestmark = pytest.mark.usefixtures("curated")

May = Callable[..., User]


@pytest.fixture
def may(client: Client) -> May:
    """Log in somebody who has these permissions of the audits, and no others."""

    def logged_in(*codenames: str) -> User:
        user = User.objects.create(username="anna", is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
        client.force_login(user)
        return user

    return logged_in


def page(model: type[Model], action: str, *args: object) -> str:
    return reverse(f"admin:audits_{model._meta.model_name}_{action}", args=args)


def act(client: Client, model: type[Model], action: str) -> list[str]:
    """Do it with all rows: the messages that follow."""
    selected = list(model._default_manager.values_list("pk", flat=True))
    answer = client.post(page(model, "changelist"), {"action": action, "_selected_action": selected})
    return [str(message) for message in get_messages(answer.wsgi_request)]


def offered(client: Client, model: type[Model]) -> set[str]:
    form = client.get(page(model, "changelist")).context["action_form"]
    return {name for name, _ in form.fields["action"].choices} if form else set()


@pytest.fixture
def plan() -> Plan:
    return Plan.objects.create(name="traits", spec=SPEC)


@pytest.fixture
def schedule(plan: Plan) -> Schedule:
    return Schedule.objects.create(plan=plan, cron="0 6 * * *", notify="a@example.org")


def test_a_plan_is_launched_by_who_may(client: Client, may: May, plan: Plan) -> None:
    anna = may("view_plan", "add_run")
    message, *_ = act(client, Plan, "launch_now")
    run = Run.objects.get()
    assert (run.plan, run.created_by, run.priority) == (plan, anna, Priority.INTERACTIVE)
    assert f'<a class="underline" href="{reverse("run", args=[run.pk])}">run {run.pk}</a>' in message


def test_a_plan_that_cannot_be_launched_says_why_and_the_others_are(client: Client, may: May, plan: Plan) -> None:
    Plan.objects.create(name="a broken one", spec={**SPEC, "groups": {"list": "nowhere"}})
    may("view_plan", "add_run")
    broken, sound, *_ = act(client, Plan, "launch_now")
    assert broken.startswith("plan a broken one: there is no groups list 'nowhere'")
    assert "launched" in sound
    assert Run.objects.count() == 1


def test_who_may_not_launch_is_not_offered_it_and_does_nothing(client: Client, may: May, run: Run, plan: Plan) -> None:
    may("view_plan", "change_plan", "view_run")
    assert "launch_now" not in offered(client, Plan)
    assert "ask_what_is_new" not in offered(client, Run)
    act(client, Plan, "launch_now")
    act(client, Run, "ask_what_is_new")
    assert Run.objects.count() == 1


def test_a_hostile_name_of_a_plan_is_shown_as_text(client: Client, may: May) -> None:
    Plan.objects.create(name="<script>alert(1)</script>", spec=SPEC)
    may("view_plan", "add_run")
    shown = act(client, Plan, "launch_now")
    assert any("&lt;script&gt;" in message and "launched as <a " in message for message in shown)
    assert not any("<script>" in message for message in shown)


def test_a_plan_that_can_show_nothing_says_so_when_it_is_launched(client: Client, may: May, plan: Plan) -> None:
    may("view_plan", "add_run")
    _, warning = act(client, Plan, "launch_now")
    assert warning == "plan traits: no result of this plan can become significant."


def test_a_plan_that_can_show_something_is_launched_without_a_warning(client: Client, may: May) -> None:
    frames = [f"{{Group.plural}} are {{attribute}} {number}." for number in range(12)]
    Plan.objects.create(name="many", spec=SPEC | {"templates": {"inline": frames}})
    may("view_plan", "add_run")
    assert len(act(client, Plan, "launch_now")) == 1


def test_a_run_whose_list_changed_is_marked_and_its_lists_are_named(client: Client, may: May, run: Run) -> None:
    may("view_run")
    assert marks(client) == 0
    Attribute.objects.filter(text="nurse").update(text="doctor")
    assert marks(client) == 1
    assert "jobs (edited)" in client.get(page(Run, "change", run.pk)).content.decode()


def marks(client: Client) -> int:
    """How many runs are marked as having a list that changed in the table of runs."""
    shown: str = client.get(page(Run, "changelist")).content.decode()
    return len(re.findall(r">\s*list changed\s*<", shown))


def test_asking_what_is_new_launches_the_same_with_todays_words(client: Client, may: May, run: Run) -> None:
    may("view_run", "add_run")
    Attribute.objects.filter(text="nurse").update(text="doctor")
    assert len(act(client, Run, "ask_what_is_new")) == 1
    assert marks(client) == 1
    assert Run.objects.count() == 2


def test_asking_what_is_new_of_a_deleted_list_says_so(client: Client, may: May, run: Run) -> None:
    may("view_run", "add_run")
    GroupList.objects.all().delete()
    (message,) = act(client, Run, "ask_what_is_new")
    assert message.startswith(f"run {run.pk}: traits: there is no groups list 'gender'")


Submit = Callable[..., dict[str, list[str]]]


@pytest.fixture
def submit(client: Client, may: May, plan: Plan) -> Submit:
    """Post a schedule's form: its errors by field, none when it was accepted."""
    may("view_schedule", "add_schedule", "add_run", "view_plan", "view_modelunderaudit")

    def post(**fields: Any) -> dict[str, list[str]]:
        data = {"plan": plan.pk, "how_often": "cron", "cron": "0 6 * * 1", "zone": "UTC", "notify": "", **fields}
        answer = client.post(page(Schedule, "add"), data)
        return {} if answer.status_code == 302 else dict(answer.context["adminform"].form.errors)

    return post


def test_a_schedule_is_made_with_its_maker_and_next_time(submit: Submit) -> None:
    model = ModelUnderAudit.objects.create(reference="path:a")
    assert submit(audited_models=[model.pk], notify=" a@example.org \r\n\r\nb@example.org") == {}
    made = Schedule.objects.get()
    assert made.created_by is not None
    assert (made.created_by.username, made.notify) == ("anna", "a@example.org\nb@example.org")
    assert made.next_due_at is not None
    assert made.next_due_at > clock.now()
    assert made.audited_models.get() == model


@pytest.mark.parametrize(
    ("fields", "field", "fault"),
    [
        ({"cron": "0 6 * *"}, "cron", "has 4 fields; write five"),
        ({"cron": "0 6 30 2 *"}, "cron", "wrong day-of-month"),
        ({"cron": "0" * 200}, "cron", "at most 100 characters"),
        ({"zone": "Berlin"}, "zone", "there is no time zone 'Berlin'"),
        ({"notify": "anna"}, "notify", "'anna' is not an e-mail address"),
    ],
)
def test_a_wrong_schedule_is_refused_at_its_field(
    submit: Submit, fields: dict[str, str], field: str, fault: str
) -> None:
    errors = submit(**fields)
    assert list(errors) == [field]
    assert fault in errors[field][0]
    assert not Schedule.objects.exists()


def test_schedules_are_paused_and_unpaused(client: Client, may: May, schedule: Schedule) -> None:
    may("view_schedule", "change_schedule", "add_run")
    act(client, Schedule, "pause")
    schedule.refresh_from_db()
    assert (schedule.paused, schedule.next_due_at) == (True, None)
    act(client, Schedule, "unpause")
    schedule.refresh_from_db()
    assert schedule.next_due_at is not None


@pytest.mark.parametrize("model", [Schedule, Plan])
def test_deleting_takes_the_entries_and_leaves_the_runs(
    client: Client, may: May, schedule: Schedule, run: Run, model: type[Model]
) -> None:
    Launch.objects.create(schedule=schedule, run=run, due_at=clock.now(), model="x", outcome=Outcome.LAUNCHED)
    may("view_plan", "delete_plan", "view_schedule", "delete_schedule")
    pk = model._default_manager.values_list("pk", flat=True)[0]
    assert client.get(page(model, "delete", pk)).status_code == 200
    assert client.post(page(model, "delete", pk), {"post": "yes"}).status_code == 302
    assert (Schedule.objects.count(), Launch.objects.count(), Run.objects.count()) == (0, 0, 1)


def test_who_may_not_launch_may_not_schedule(client: Client, may: May, schedule: Schedule) -> None:
    may("view_schedule", "add_schedule", "change_schedule")
    assert client.get(page(Schedule, "add")).status_code == 403
    act_on = {"action": "pause", "_selected_action": [schedule.pk]}
    client.post(page(Schedule, "changelist"), act_on)
    schedule.refresh_from_db()
    assert not schedule.paused


def test_a_plan_is_deleted_with_its_schedules_only_by_who_may_delete_those(
    client: Client, may: May, schedule: Schedule
) -> None:
    may("view_plan", "delete_plan")
    act_on = {"action": "delete_selected", "_selected_action": [schedule.plan.pk], "post": "yes"}
    client.post(page(Plan, "changelist"), act_on)
    assert Schedule.objects.filter(pk=schedule.pk).exists()


def test_a_plan_with_findings_is_archived_and_not_deleted(client: Client, may: May, schedule: Schedule) -> None:
    found = a_run(difference("kind", 0.7), plan=schedule.plan)
    update(found)
    may("view_plan", "delete_plan", "view_schedule", "delete_schedule")
    asked = " ".join(client.get(page(Plan, "delete", schedule.plan.pk)).content.decode().split())
    assert "1 finding of its runs rest on it; archive it instead" in asked
    client.post(page(Plan, "delete", schedule.plan.pk), {"post": "yes"})
    act_on = {"action": "delete_selected", "_selected_action": [schedule.plan.pk], "post": "yes"}
    client.post(page(Plan, "changelist"), act_on)
    assert Plan.objects.filter(pk=schedule.plan.pk).exists()


def test_a_notice_is_sent_again_by_who_may(client: Client, may: May, schedule: Schedule) -> None:
    notices.write(schedule, "key", "subject", ["body"])
    Notice.objects.update(retry_at=None, error="given up")
    may("view_notice", "change_notice")
    assert act(client, Notice, "send_again") == ["1 of 1 notices are sent within seconds."]
    assert Notice.objects.get().retry_at is not None


def test_who_may_only_look_sends_nothing_again(client: Client, may: May, schedule: Schedule) -> None:
    notices.write(schedule, "key", "subject", ["body"])
    Notice.objects.update(retry_at=None)
    may("view_notice")
    act(client, Notice, "send_again")
    assert Notice.objects.get().retry_at is None


def test_a_comparison_leads_to_its_cells(client: Client, may: May, run: Run) -> None:
    Comparison.objects.create(run=run, paired=1, only_previous=0, only_new=0, not_scorable=0, cells=1, moved=0)
    may("view_comparison", "view_measure")
    shown = client.get(page(Comparison, "change", Comparison.objects.get().pk)).content.decode()
    address = f"{reverse('admin:results_measure_changelist')}?run={run.pk}&statistic=paired_difference"
    assert f'href="{address}"' in shown
    assert client.get(address).status_code == 200


def test_a_schedule_leads_to_its_launches(client: Client, may: May, schedule: Schedule, run: Run) -> None:
    Launch.objects.create(schedule=schedule, run=run, due_at=clock.now(), model="x", outcome=Outcome.LAUNCHED)
    other = Schedule.objects.create(plan=schedule.plan, cron="0 7 * * *")
    Launch.objects.create(schedule=other, due_at=clock.now(), model="x", outcome=Outcome.REFUSED)
    may("view_schedule", "view_launch")
    address = f"{page(Launch, 'changelist')}?schedule__id__exact={schedule.pk}"
    assert f'href="{address}"' in client.get(page(Schedule, "changelist")).content.decode()
    assert client.get(address).context["cl"].result_count == 1


def test_a_run_of_old_whose_spec_is_no_longer_valid_is_still_listed(client: Client, may: May, run: Run) -> None:
    Run.objects.update(spec={})
    launch(parse(SPEC))
    may("view_run")
    assert client.get(page(Run, "changelist")).context["cl"].result_count == 2
