"""Due schedules become runs, once each, whoever keeps time and whatever goes wrong beside them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from plumbline.audits import clock, launching
from plumbline.audits.models import Launch, ModelUnderAudit, Notice, Outcome, Plan, Run, Schedule
from plumbline.audits.scheduling import schedules
from plumbline.audits.states import Priority, RunState
from plumbline.spec.errors import InputError
from plumbline.vocab.authors import author_name, os_user
from plumbline.vocab.models import AttributeSet
from plumbline.vocab.models.recorded import EVENTS
from tests.plumbline.audits.conftest import SPEC, Elsewhere, until_one_waits

pytestmark = pytest.mark.usefixtures("curated")

Scheduled = Callable[..., Schedule]


@pytest.fixture
def scheduled(db: None) -> Scheduled:
    """A schedule of a plan of its own, at 6 each day, that came due some days and a while ago."""

    def new(name: str = "weekly", days: int = 0, **changes: Any) -> Schedule:
        plan = Plan.objects.create(name=name, spec={**SPEC, **changes.pop("spec", {})})
        schedule = Schedule.objects.create(plan=plan, cron="0 6 * * *", **changes)
        Schedule.objects.filter(pk=schedule.pk).update(next_due_at=last_six() - timedelta(days=days))
        return schedule

    return new


def last_six() -> datetime:
    """The last time that it was 6 o'clock, by the server's clock."""
    now = clock.now()
    today = now.replace(hour=6, minute=0, second=0, microsecond=0)
    return today if today <= now else today - timedelta(days=1)


def entries() -> list[tuple[str, str, int]]:
    return list(Launch.objects.order_by("pk").values_list("model", "outcome", "missed"))


def test_what_is_due_is_launched_and_moves_on(scheduled: Scheduled) -> None:
    anna = User.objects.create(username="anna")
    schedule = scheduled(created_by=anna)
    assert schedules.tick() == 1
    run, entry = Run.objects.get(), Launch.objects.get()
    assert (run.plan, run.created_by, run.priority, run.owner) == (schedule.plan, anna, Priority.SCHEDULED, "")
    assert (entry.run, entry.due_at, entry.outcome, entry.missed) == (run, last_six(), Outcome.LAUNCHED, 0)
    schedule.refresh_from_db()
    assert (schedule.last_due_at, schedule.next_due_at) == (last_six(), last_six() + timedelta(days=1))
    assert schedules.tick() == 0
    assert Run.objects.count() == 1


def test_what_is_not_due_or_paused_launches_nothing(scheduled: Scheduled) -> None:
    paused, later = scheduled("paused"), scheduled("later")
    Schedule.objects.filter(pk=paused.pk).update(paused=True)
    Schedule.objects.filter(pk=later.pk).update(next_due_at=clock.now() + timedelta(minutes=1))
    assert schedules.tick() == 0
    assert not Launch.objects.exists()


def test_missed_times_collapse_to_the_last_one(scheduled: Scheduled) -> None:
    schedule = scheduled(days=3)
    assert schedules.tick() == 1
    assert entries() == [("path:./some/dir", "launched", 3)]
    assert Launch.objects.get().due_at == last_six()
    schedule.refresh_from_db()
    assert schedule.next_due_at == last_six() + timedelta(days=1)


def test_each_model_has_its_run(scheduled: Scheduled) -> None:
    schedule = scheduled()
    for reference in ("path:a", "path:b"):
        schedule.audited_models.add(ModelUnderAudit.objects.create(reference=reference))
    assert schedules.tick() == 2
    assert sorted(Run.objects.values_list("model", flat=True)) == ["path:a", "path:b"]


def test_the_processs_own_clock_decides_nothing(scheduled: Scheduled, monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = scheduled()
    Schedule.objects.filter(pk=schedule.pk).update(next_due_at=clock.now() + timedelta(minutes=30))
    hour_ahead = datetime.now(UTC) + timedelta(hours=1)
    monkeypatch.setattr("django.utils.timezone.now", lambda: hour_ahead)
    monkeypatch.setattr("time.time", hour_ahead.timestamp)
    assert schedules.tick() == 0


def test_a_plan_that_cannot_be_launched_is_refused_and_the_others_go_on(scheduled: Scheduled) -> None:
    scheduled("broken", spec={"groups": {"list": "nowhere"}}, notify="a@example.org")
    scheduled("sound")
    assert schedules.tick() == 1
    refused = Launch.objects.get(outcome=Outcome.REFUSED)
    assert "there is no groups list 'nowhere'" in refused.reason
    assert refused.run is None
    assert "nowhere" in Notice.objects.get().body
    assert Run.objects.get().plan == Plan.objects.get(name="sound")


def test_of_several_models_one_is_refused_and_the_others_run(scheduled: Scheduled) -> None:
    schedule = scheduled()
    for reference in ("path:a", "not a reference", "path:b"):
        schedule.audited_models.add(ModelUnderAudit.objects.create(reference=reference))
    assert schedules.tick() == 2
    assert sorted((model, outcome) for model, outcome, _ in entries()) == [
        ("not a reference", "refused"),
        ("path:a", "launched"),
        ("path:b", "launched"),
    ]


def test_a_list_that_was_deleted_refuses_the_launch_and_leaves_no_half_a_run(scheduled: Scheduled) -> None:
    scheduled()
    AttributeSet.objects.all().delete()
    assert schedules.tick() == 0
    assert "there is no attributes list 'jobs'" in Launch.objects.get().reason
    assert not Run.objects.exists()


def test_a_plan_that_is_no_mapping_is_refused(scheduled: Scheduled) -> None:
    schedule = scheduled()
    Plan.objects.filter(pk=schedule.plan_id).update(spec=["ilps"])
    assert schedules.tick() == 0
    assert Launch.objects.get().reason.startswith("an audit spec must be a mapping")


def test_the_same_refusal_is_reported_once_and_another_again(scheduled: Scheduled) -> None:
    schedule = scheduled(spec={"groups": {"list": "nowhere"}}, notify="a@example.org")
    for slug in ("nowhere", "nowhere", "elsewhere", "elsewhere"):
        for earlier in Launch.objects.order_by("due_at"):
            earlier.due_at -= timedelta(days=1)
            earlier.save()
        Plan.objects.update(spec={**SPEC, "groups": {"list": slug}})
        Schedule.objects.filter(pk=schedule.pk).update(next_due_at=last_six())
        schedules.tick()
    assert Launch.objects.count() == 4
    assert Notice.objects.count() == 2


def test_a_fault_of_our_own_is_shown_and_keeps_no_other_schedule(
    scheduled: Scheduled, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = scheduled("broken")
    scheduled("sound")
    original = launching.launch_plan

    def faulty(plan: Plan, *arguments: Any, **options: Any) -> Run:
        if plan == broken.plan:
            raise ZeroDivisionError("ours")
        return original(plan, *arguments, **options)

    monkeypatch.setattr(schedules, "launch_plan", faulty)
    assert schedules.tick() == 1
    refused = Launch.objects.get(outcome=Outcome.REFUSED)
    assert refused.schedule == broken
    assert "ZeroDivisionError: ours" in refused.reason


def test_an_error_of_the_database_moves_nothing_and_keeps_no_other_schedule(
    scheduled: Scheduled, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = scheduled("broken", days=1)
    scheduled("sound")
    original = launching.launch_plan

    def faulty(plan: Plan, *arguments: Any, **options: Any) -> Run:
        if plan == broken.plan:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1 / 0")
        return original(plan, *arguments, **options)

    monkeypatch.setattr(schedules, "launch_plan", faulty)
    assert schedules.tick() == 1
    broken.refresh_from_db()
    assert broken.next_due_at == last_six() - timedelta(days=1)
    monkeypatch.undo()
    assert schedules.tick() == 1


def test_a_timing_that_can_no_longer_be_read_pauses_the_schedule_and_says_so(scheduled: Scheduled) -> None:
    schedule = scheduled(notify="a@example.org")
    Schedule.objects.filter(pk=schedule.pk).update(zone="Europe/Atlantis")
    assert schedules.tick() == 0
    schedule.refresh_from_db()
    assert (schedule.paused, schedule.next_due_at) == (True, None)
    assert "Europe/Atlantis" in Notice.objects.get().body
    paused = EVENTS[Schedule].objects.filter(pgh_obj=schedule.pk).latest("pgh_id")
    assert (paused.paused, author_name(paused.pgh_context, {})) == (True, f"command scheduler by {os_user()}")


def test_a_due_time_that_comes_again_launches_nothing_again(scheduled: Scheduled) -> None:
    """The server's clock was set back."""
    schedule = scheduled()
    schedules.tick()
    Schedule.objects.filter(pk=schedule.pk).update(next_due_at=last_six())
    assert schedules.tick() == 0
    assert (Run.objects.count(), Launch.objects.count()) == (1, 1)
    schedule.refresh_from_db()
    assert schedule.next_due_at == last_six() + timedelta(days=1)


def test_a_schedule_that_is_paused_in_that_moment_launches_nothing(elsewhere: Elsewhere, scheduled: Scheduled) -> None:
    schedule = scheduled()
    with transaction.atomic():
        schedule.paused = True
        schedule.save()
        ticking = elsewhere(schedules.tick)
        until_one_waits()
    assert ticking.result() == 0
    assert not Launch.objects.exists()
    schedule.refresh_from_db()
    assert (schedule.next_due_at, schedule.last_due_at) == (None, None)


def test_of_two_schedulers_at_once_one_launches(elsewhere: Elsewhere, scheduled: Scheduled) -> None:
    scheduled()
    with transaction.atomic():
        ours = schedules.tick()
        other = elsewhere(schedules.tick)
        until_one_waits()
    assert (ours, other.result()) == (1, 0)
    assert (Run.objects.count(), Launch.objects.count()) == (1, 1)


def test_a_scheduler_that_dies_before_its_commit_moved_nothing(
    elsewhere: Elsewhere, scheduled: Scheduled, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule = scheduled()

    def killed(*_: Any, **__: Any) -> Run:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        raise AssertionError("the connection is gone")

    with monkeypatch.context() as patch:
        patch.setattr(schedules, "launch_plan", killed)
        assert elsewhere(schedules.tick).result() == 0
    schedule.refresh_from_db()
    assert (schedule.next_due_at, schedule.last_due_at) == (last_six(), None)
    assert schedules.tick() == 1


def test_saving_computes_what_is_due_next(scheduled: Scheduled) -> None:
    schedule = Schedule.objects.create(plan=Plan.objects.create(name="p", spec=SPEC), cron="0 6 * * *")
    assert schedule.next_due_at == last_six() + timedelta(days=1)
    schedule.cron = "0 6 1 1 *"
    schedule.save()
    schedule.refresh_from_db()
    assert schedule.next_due_at is not None
    assert (schedule.next_due_at.month, schedule.next_due_at.day, schedule.next_due_at.hour) == (1, 1, 6)


def test_pausing_clears_and_unpausing_goes_on_from_now(scheduled: Scheduled) -> None:
    schedule = scheduled(days=5)
    schedule.paused = True
    schedule.save(update_fields=["paused"])
    schedule.refresh_from_db()
    assert schedule.next_due_at is None
    schedule.paused = False
    schedule.save()
    assert schedules.tick() == 0
    schedule.refresh_from_db()
    assert schedule.next_due_at == last_six() + timedelta(days=1)


def test_an_edit_of_the_recipients_keeps_due_notices(scheduled: Scheduled) -> None:
    schedule = scheduled()
    schedule.notify = "a@example.org"
    schedule.save()
    assert schedules.tick() == 1


def test_an_edit_that_began_before_a_launch_does_not_bring_it_back(scheduled: Scheduled) -> None:
    edited = scheduled()
    schedules.tick()
    edited.notify = "a@example.org"
    edited.save()
    edited.refresh_from_db()
    assert (edited.last_due_at, edited.next_due_at) == (last_six(), last_six() + timedelta(days=1))


@pytest.mark.parametrize("changes", [{"cron": "0 6 * *"}, {"zone": "Mars/Phobos"}])
def test_a_timing_that_cannot_be_read_is_not_saved(scheduled: Scheduled, changes: dict[str, str]) -> None:
    plan = Plan.objects.create(name="p", spec=SPEC)
    with pytest.raises(InputError):
        Schedule.objects.create(**{"plan": plan, "cron": "0 6 * * *", **changes})
    assert not Schedule.objects.exists()


def test_deleting_a_plan_takes_its_schedule_and_leaves_its_runs(scheduled: Scheduled) -> None:
    schedule = scheduled()
    schedules.tick()
    schedule.plan.delete()
    assert not Schedule.objects.exists()
    assert not Launch.objects.exists()
    assert Run.objects.get().state == RunState.PLANNING
