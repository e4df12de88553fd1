"""Schedulers that are killed, doubled, stopped or cut off: what is due is launched once, and nothing is half-made."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from plumbline import embedded
from plumbline.audits.clock import now
from plumbline.audits.models import Launch, ModelUnderAudit, Outcome, Phase, Plan, Run, Schedule, Snapshot
from tests.faults.activity import blocked, in_transactions
from tests.faults.site import Site

pytestmark = pytest.mark.slow

ONCE_A_YEAR = "0 0 1 1 *"
TICKS = 3
AT_WORK_SECONDS = 60


@pytest.fixture
def plan(site: Site, spec: dict[str, Any]) -> Iterator[Plan]:
    Run.objects.all().delete()
    Snapshot.objects.all().delete()
    plan = Plan.objects.create(name="disturbed", spec=spec)
    yield plan
    connection.close()
    Plan.objects.all().delete()
    ModelUnderAudit.objects.all().delete()


def due(plan: Plan, since: datetime | None = None) -> Schedule:
    schedule = Schedule.objects.create(plan=plan, cron=ONCE_A_YEAR)
    make_due(since)
    schedule.refresh_from_db()
    return schedule


def make_due(since: datetime | None = None) -> None:
    Schedule.objects.update(next_due_at=since or now() - timedelta(minutes=1))


def let_tick(site: Site) -> None:
    """Some rounds more of every scheduler: whoever would launch again does so now."""
    until = now() + timedelta(seconds=TICKS)
    site.wait(lambda: now() > until)


def test_a_scheduler_killed_in_mid_launch_leaves_nothing_and_the_next_launches_once(site: Site, plan: Plan) -> None:
    before = due(plan)
    with site.locked("audits_launch"):
        first = site.start("scheduler")
        site.wait(lambda: blocked() == 1, first)
        first.kill()
    site.wait(lambda: in_transactions() == 0)
    assert [kind.objects.count() for kind in (Run, Phase, Snapshot, Launch)] == [0, 0, 0, 0]
    schedule = Schedule.objects.get()
    assert (schedule.next_due_at, schedule.last_due_at) == (before.next_due_at, None)

    site.scheduler()
    site.wait(Launch.objects.exists)
    let_tick(site)
    launched = Launch.objects.get()
    assert (launched.outcome, launched.due_at) == (Outcome.LAUNCHED, before.next_due_at)
    assert launched.run == Run.objects.get()


def test_two_schedulers_launch_each_due_time_once(site: Site, plan: Plan) -> None:
    """Both stand before the same schedule when the lock goes."""
    models = [ModelUnderAudit.objects.create(reference=f"path:/models/{name}") for name in ("first", "second")]
    for _ in range(10):
        due(plan).audited_models.set(models)
    with site.locked("audits_launch"):
        for _ in range(2):
            site.start("scheduler", TICK_SECONDS="0.2")
        site.wait(lambda: blocked() == 2)
    site.wait(lambda: Launch.objects.count() >= 20)
    let_tick(site)
    launched = Launch.objects.values_list("schedule", "due_at", "model", "outcome")
    assert len(launched) == len(set(launched)) == 20
    assert {outcome for *_, outcome in launched} == {Outcome.LAUNCHED}
    assert Run.objects.filter(launch__isnull=False).count() == Run.objects.count() == 20
    assert {run.phases.count() for run in Run.objects.all()} == {4}
    assert not Schedule.objects.filter(next_due_at__lte=now()).exists()


def test_due_times_that_nobody_was_there_for_become_one_launch(site: Site, plan: Plan) -> None:
    scheduler = site.scheduler()
    site.wait(lambda: "Starting" in scheduler.log.read_text(), scheduler)  # it heeds signals from now on
    assert scheduler.stop() == 0, scheduler.log.read_text()
    year = now().year
    due(plan, datetime(year - 3, 1, 1, tzinfo=UTC))
    site.scheduler()
    site.wait(Launch.objects.exists)
    let_tick(site)
    launched = Launch.objects.get()
    assert (launched.due_at, launched.missed) == (datetime(year, 1, 1, tzinfo=UTC), 3)
    assert Run.objects.count() == 1
    assert Schedule.objects.get().next_due_at == datetime(year + 1, 1, 1, tzinfo=UTC)


def test_a_scheduler_outlives_its_database(site: Site, plan: Plan) -> None:
    Schedule.objects.create(plan=plan, cron=ONCE_A_YEAR)
    scheduler = site.scheduler()
    embedded.stop(site.var)
    connection.close()
    site.wait(lambda: scheduler.log.read_text().count("the database is away") > TICKS, scheduler)
    embedded.start(site.var)
    make_due()
    began = now()
    site.wait(Launch.objects.exists, scheduler)
    assert (now() - began).total_seconds() < AT_WORK_SECONDS
    assert Launch.objects.get().outcome == Outcome.LAUNCHED
