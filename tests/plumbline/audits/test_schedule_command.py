import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from plumbline.audits import clock
from plumbline.audits.launching import launch
from plumbline.audits.models import Launch, ModelUnderAudit, Outcome, Plan, Run, Schedule
from plumbline.audits.scheduling import schedules
from plumbline.spec.audit import parse
from plumbline.vocab.authors import author_name, os_user
from plumbline.vocab.models.recorded import EVENTS
from tests.plumbline.audits.conftest import SPEC

Call = Callable[..., str]


@pytest.fixture
def plan(curated: None) -> Plan:
    return Plan.objects.create(name="traits", spec=SPEC)


@pytest.fixture
def schedule(capsys: pytest.CaptureFixture[str]) -> Call:
    """Call `manage.py schedule ...` in this process: its standard output."""

    def call(*arguments: object) -> str:
        call_command("schedule", *map(str, arguments))
        return capsys.readouterr().out

    return call


@pytest.fixture
def added(plan: Plan, schedule: Call) -> Schedule:
    schedule("add", "traits", "--cron", "0 6 * * 1")
    return Schedule.objects.get()


def test_a_plan_is_scheduled(plan: Plan, schedule: Call) -> None:
    options = ["--zone", "Europe/Berlin", "--model", "path:a", "--model", "path:b", "--notify", "a@example.org"]
    told = schedule("add", "traits", "--cron", "0 6 * * 1", *options)
    made = Schedule.objects.get()
    assert (made.plan, made.cron, made.zone, made.notify) == (plan, "0 6 * * 1", "Europe/Berlin", "a@example.org")
    assert set(made.audited_models.values_list("reference", flat=True)) == {"path:a", "path:b"}
    assert re.match(
        rf"schedule {made.pk} added: traits: every Monday at 06:00, Europe/Berlin, next due \S+ 06:00, Europe/Berlin\n",
        told,
    )


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["add", "trait", "--cron", "0 6 * * 1"], "there is no plan 'trait'; did you mean 'traits'?"),
        (["add", "traits", "--cron", "0 6 * *"], "has 4 fields; write five"),
        (["add", "traits", "--cron", "0 6 * * 1", "--zone", "Berlin"], "there is no time zone 'Berlin'"),
        (["add", "traits", "--cron", "0 6 * * 1", "--model", "bert"], "'bert' does not name a model"),
        (["add", "traits", "--cron", "0 6 * * 1", "--notify", "anna"], "'anna' is not an e-mail address"),
        (["show", "7"], "there is no schedule 7: 'schedule list' shows all."),
        (["pause", "7"], "there is no schedule 7"),
        (["unpause", "7"], "there is no schedule 7"),
        (["remove", "7"], "there is no schedule 7"),
    ],
)
def test_wrong_input_is_reported_in_one_line_and_leaves_nothing(
    plan: Plan, schedule: Call, arguments: list[str], fault: str
) -> None:
    with pytest.raises(CommandError) as refused:
        schedule(*arguments)
    assert fault in str(refused.value)
    assert "\n" not in str(refused.value)
    assert refused.value.returncode == 2
    assert not Schedule.objects.exists()
    assert not ModelUnderAudit.objects.exists()


def test_without_schedules_the_list_says_how_to_make_one(db: None, schedule: Call) -> None:
    assert schedule("list") == "no schedules yet: 'schedule add PLAN --cron ...'\n"


def test_pausing_and_unpausing_show_when_it_is_due(added: Schedule, schedule: Call) -> None:
    assert f"{added.pk}  traits: every Monday at 06:00, UTC  paused" in schedule("pause", added.pk)
    assert "paused" in schedule("list")
    shown = schedule("show", added.pk)
    assert re.search(r"paused: it launches nothing. Unpaused, it would be due at (\S+ 06:00, UTC(; )?){5}\n", shown)
    assert "next due" in schedule("unpause", added.pk)
    added.refresh_from_db()
    assert added.next_due_at is not None


def test_removing_leaves_the_runs(added: Schedule, schedule: Call) -> None:
    Schedule.objects.update(next_due_at=clock.now())
    schedules.tick()
    assert schedule("remove", added.pk) == f"schedule {added.pk} removed; its runs stay\n"
    assert Run.objects.count() == 1


def test_the_history_says_which_command_it_was(added: Schedule, schedule: Call) -> None:
    for action in ("pause", "unpause", "remove"):
        schedule(action, added.pk)
    events = EVENTS[Schedule].objects.filter(pgh_obj_id=added.pk).order_by("pgh_id")
    assert [author_name(event.pgh_context, {}) for event in events] == [
        f"command schedule {action} by {os_user()}" for action in ("add", "pause", "unpause", "remove")
    ]


def test_show_lists_the_entries_newest_first_with_what_came_of_them(added: Schedule, schedule: Call) -> None:
    run = launch(parse(SPEC))

    def entry(day: int, outcome: Outcome, **more: Any) -> None:
        due = clock.now().replace(year=2026, month=3, day=day, hour=6, minute=0)
        Launch.objects.create(schedule=added, due_at=due, model="path:./some/dir", outcome=outcome, **more)

    entry(2, Outcome.LAUNCHED, run=run, missed=4)
    entry(9, Outcome.UNCHANGED, unchanged_since=run)
    entry(16, Outcome.REFUSED, reason="there is no groups list 'gender'")
    entry(23, Outcome.LAUNCHED)
    assert schedule("show", added.pk).splitlines()[1:] == [
        "models: path:./some/dir",
        "told: nobody",
        "  2026-03-23 06:00, UTC  path:./some/dir  launched: its run was deleted",
        "  2026-03-16 06:00, UTC  path:./some/dir  refused: there is no groups list 'gender'",
        f"  2026-03-09 06:00, UTC  path:./some/dir  unchanged: since run {run.pk}",
        f"  2026-03-02 06:00, UTC  path:./some/dir  launched: run {run.pk} planning (4 missed before)",
    ]


def test_a_paused_schedule_whose_zone_is_gone_says_so(added: Schedule, schedule: Call) -> None:
    Schedule.objects.update(paused=True, next_due_at=None, zone="Nowhere/Gone")
    assert "launches nothing, since there is no time zone 'Nowhere/Gone'" in schedule("show", added.pk)
