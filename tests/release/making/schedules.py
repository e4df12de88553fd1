"""Schedules that came due: one launched a run, one found nothing new, one was refused and tells somebody."""

from datetime import timedelta
from unittest import mock

import pghistory

from plumbline.audits import clock
from plumbline.audits.models import Launch, ModelUnderAudit, Outcome, Plan, Run, Schedule
from plumbline.audits.scheduling import schedules
from plumbline.audits.states import RunState
from tests.release.making.people import person
from tests.release.making.running import pool_worker
from workers.execution import drive


def make_schedules() -> None:
    """The weekly one and that of the plan without a list, and one that is paused."""
    with pghistory.context(user=person("olga").pk, username="olga"):
        weekly = _schedule("Words and groups", notify="olga@example.org")
        weekly.audited_models.add(ModelUnderAudit.objects.get(reference="bundled:masked-demo"))
        _schedule("Words that nobody collected", notify="olga@example.org")
        _schedule("Careers and families", paused=True)


def _schedule(plan: str, **fields: object) -> Schedule:
    named = {"plan": Plan.objects.get(name=plan), "cron": "0 6 * * 1", "zone": "Europe/Berlin"}
    return Schedule.objects.create(created_by=person("olga"), **named, **fields)


def come_due(weeks: int) -> None:
    """All that are not paused came due so many weeks ago; what they launched is executed."""
    then = clock.now() - timedelta(weeks=weeks)
    Schedule.objects.filter(paused=False).update(next_due_at=then - timedelta(minutes=1))
    with mock.patch.object(clock, "now", return_value=then):
        schedules.tick()
    for entry in Launch.objects.filter(outcome=Outcome.LAUNCHED, run__state=RunState.PLANNING):
        _execute(entry)


def _execute(entry: Launch) -> None:
    """A run whose answers are all known is gone in the end, and its entry says so."""
    assert entry.run_id is not None
    drive(entry.run_id, pool_worker())
    run = Run.objects.filter(pk=entry.run_id).first()
    assert run is None or run.state == RunState.DONE, run
