"""What people are told: in the transaction that makes the fact, once, in plain lines."""

import pytest
from django.db import transaction

from plumbline.audits import clock, life
from plumbline.audits.launching import launch
from plumbline.audits.mail import notices
from plumbline.audits.models import Comparison, Launch, Notice, Outcome, Plan, Run, Schedule
from plumbline.audits.states import RunState
from plumbline.spec.audit import parse
from tests.plumbline.audits.conftest import SPEC

pytestmark = pytest.mark.usefixtures("curated")
HOSTILE = "Ann\r\nBcc: everyone@example.org\x00\x1b[2J"


@pytest.fixture
def schedule(db: None) -> Schedule:
    plan = Plan.objects.create(name="traits", spec=SPEC)
    return Schedule.objects.create(plan=plan, cron="0 6 * * *", notify="a@example.org\nb@example.org")


@pytest.fixture
def launched(schedule: Schedule) -> Launch:
    run = launch(parse(SPEC), plan=schedule.plan)
    return Launch.objects.create(
        schedule=schedule, run=run, due_at=clock.now(), model=run.model, outcome=Outcome.LAUNCHED
    )


def compared(run: Run, moved: int = 2) -> Comparison:
    return Comparison.objects.create(
        run=run, paired=8, only_previous=0, only_new=0, not_scorable=0, cells=4, moved=moved
    )


def test_a_notice_goes_to_whom_the_schedule_names(schedule: Schedule) -> None:
    notices.write(schedule, "key", "subject", ["one", "two"])
    notice = Notice.objects.get()
    assert (notice.recipients, notice.subject, notice.body, notice.sent_at, notice.error) == (
        ["a@example.org", "b@example.org"],
        "Plumbline: subject",
        "one\ntwo\n",
        None,
        "",
    )
    assert notice.retry_at is not None


def test_a_notice_is_sent_once(schedule: Schedule) -> None:
    notices.write(schedule, "key", "first", ["one"])
    notices.write(schedule, "key", "second", ["two"])
    assert Notice.objects.get().subject == "Plumbline: first"


def test_a_notice_without_recipients_is_kept_and_says_so(schedule: Schedule) -> None:
    Schedule.objects.update(notify="")
    schedule.refresh_from_db()
    notices.write(schedule, "key", "subject", ["one"])
    notice = Notice.objects.get()
    assert (notice.recipients, notice.retry_at) == ([], None)
    assert "names no address" in notice.error


def test_a_notice_goes_with_the_transaction_of_its_fact(schedule: Schedule) -> None:
    with transaction.atomic():
        notices.write(schedule, "key", "subject", ["one"])
        transaction.set_rollback(True)
    assert not Notice.objects.exists()


def test_a_hostile_name_stays_on_one_line_and_adds_no_header(launched: Launch) -> None:
    run = launched.run
    assert run is not None
    Run.objects.filter(pk=run.pk).update(name=HOSTILE.replace("\x00", ""), state=RunState.FAILED, error="x")
    notices.write_failure_notices()
    notice = Notice.objects.get()
    assert "\n" not in notice.subject
    assert "\x1b" not in notice.subject + notice.body
    assert not [line for line in notice.body.splitlines() if line.startswith("Bcc")]


def test_a_subject_is_never_too_long(schedule: Schedule) -> None:
    notices.write(schedule, "key", "ä" * 500, ["one"])
    assert len(Notice.objects.get().subject) == 200


def test_a_notice_of_changes_lists_the_changed_cells(launched: Launch) -> None:
    assert launched.run is not None
    notices.write_moved_notice(compared(launched.run), ["women, nurse: +1.2 [+1.0, +1.4], n = 12, q = 0.01"])
    notice = Notice.objects.get()
    assert notice.subject == "Plumbline: 2 of 4 cells that both runs asked moved: traits, path:./some/dir"
    assert f"in run {launched.run_id} of traits on path:./some/dir" in notice.body
    assert "women, nurse: +1.2 [+1.0, +1.4], n = 12, q = 0.01" in notice.body


def test_no_change_means_no_notice(launched: Launch) -> None:
    assert launched.run is not None
    notices.write_moved_notice(compared(launched.run, moved=0), [])
    assert not Notice.objects.exists()


def test_a_run_launched_by_hand_sends_no_notice(schedule: Schedule) -> None:
    notices.write_moved_notice(compared(launch(parse(SPEC), plan=schedule.plan)), ["line"])
    assert not Notice.objects.exists()


def test_a_failed_scheduled_run_sends_one_notice_in_every_phase(launched: Launch) -> None:
    assert launched.run_id is not None
    assert notices.write_failure_notices() == 0
    life.fail(launched.run_id, "the model is gone: fetch it", expected=True)
    other = launch(parse(SPEC))
    life.fail(other.pk, "not scheduled", expected=True)
    assert [notices.write_failure_notices(), notices.write_failure_notices()] == [1, 0]
    notice = Notice.objects.get()
    assert "the model is gone: fetch it" in notice.body
    assert f"audit resume {launched.run_id}" in notice.body
    assert notice.subject == f"Plumbline: run {launched.run_id} failed: traits, path:./some/dir"


def test_a_failure_without_recipients_is_not_sent_to_an_address_added_later(launched: Launch) -> None:
    Schedule.objects.update(notify="")
    assert launched.run_id is not None
    life.fail(launched.run_id, "gone", expected=True)
    notices.write_failure_notices()
    Schedule.objects.update(notify="late@example.org")
    assert notices.write_failure_notices() == 0
    assert Notice.objects.get().retry_at is None


def test_sending_again_goes_to_whom_the_schedule_names_now(launched: Launch) -> None:
    notices.write(launched.schedule, "key", "subject", ["one"])
    Notice.objects.update(sent_at=clock.now(), retry_at=None, attempts=6, error="given up")
    Schedule.objects.update(notify="new@example.org")
    assert notices.send_again(Notice.objects.all()) == 1
    notice = Notice.objects.get()
    assert (notice.recipients, notice.attempts, notice.sent_at, notice.error) == (["new@example.org"], 0, None, "")
    assert notice.retry_at is not None


def test_a_notice_without_recipients_is_not_sent_again(launched: Launch) -> None:
    Schedule.objects.update(notify="")
    launched.schedule.refresh_from_db()
    notices.write(launched.schedule, "key", "subject", ["one"])
    assert notices.send_again(Notice.objects.all()) == 0
    assert Notice.objects.get().retry_at is None
