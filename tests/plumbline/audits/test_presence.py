"""Who is alive."""

from datetime import timedelta
from time import sleep

import pytest
from django.db import OperationalError
from django.db.models import Value
from structlog.testing import capture_logs

from plumbline.audits import presence
from plumbline.audits.clock import ClockTimestamp, now
from plumbline.audits.models import Role, Run, WorkerProcess, WorkerState
from plumbline.audits.ownership import this_process
from plumbline.audits.presence import Presence
from tests.plumbline.audits.conftest import Elsewhere

pytestmark = pytest.mark.django_db


def there(name: str = "far:1:2", role: Role = Role.WORKER, seen: timedelta = timedelta(0), **what: object) -> None:
    one = Presence(name, role, ("gpu",), "cpu")
    one.says(**what)
    one.tell()
    WorkerProcess.objects.filter(name=name).update(seen_at=ClockTimestamp() - Value(seen))


def test_a_worker_with_a_recent_heartbeat_is_alive() -> None:
    there("far:1:2", seen=timedelta(seconds=5))
    there("far:3:4", seen=timedelta(seconds=30))
    assert [worker.name for worker in presence.alive()] == ["far:1:2"]


def test_a_heartbeat_of_the_future_proves_no_life() -> None:
    """The clock of the server was set back, and the process may be dead since."""
    there(seen=timedelta(hours=-1))
    assert not presence.alive().exists()


def test_a_scheduler_is_no_worker() -> None:
    there(role=Role.SCHEDULER)
    assert not presence.alive().exists()
    assert presence.alive(Role.SCHEDULER).exists()


def test_only_idle_workers_of_a_queue_wait_for_its_work() -> None:
    there("far:1:2")
    there("far:3:4", state=WorkerState.WORKING)
    assert (presence.idle("gpu").total(), presence.idle("cpu").total()) == (1, 0)


def test_a_process_says_what_it_does(run: Run) -> None:
    there(state=WorkerState.WORKING, run_id=run.pk, doing="shard 3", items=20)
    there(items=40)
    row = WorkerProcess.objects.get()
    assert (row.run, row.doing, row.items) == (None, "", 40)


def test_the_rate_of_a_piece_of_work_begins_after_its_first_items(run: Run) -> None:
    """A model is loaded, ten items come from an earlier run, and the first batch is arranged before it is asked."""
    times = iter([0.0, 100.0, 104.0, 110.0])
    one = Presence("far:1:2", Role.WORKER, clock=lambda: next(times))
    one.begins(state=WorkerState.WORKING, run_id=run.pk, doing="shard 0", items=0)
    one.counts(10)
    one.begins(doing="shard 0")
    for items in (32, 32, 48):
        one.counts(items)
    one.tell()
    row = WorkerProcess.objects.get()
    assert (row.items, row.counted_items, row.counted_seconds) == (122, 80, 10.0)
    one.begins(doing="shard 1", items=0)
    one.tell()
    row.refresh_from_db()
    assert (row.items, row.counted_items, row.counted_seconds) == (0, 0, 0.0)


def since(name: str = "far:1:2") -> timedelta:
    """For how long a process has done what it does."""
    begun = WorkerProcess.objects.get(name=name).doing_since
    assert begun is not None
    return now() - begun


def test_since_when_it_does_what_it_does_stays_while_it_does_it(run: Run) -> None:
    worker = Presence("far:1:2", Role.WORKER)
    worker.says(state=WorkerState.WORKING, run_id=run.pk, doing="shard 3", items=20)
    worker.tell()
    assert timedelta(0) <= since() < timedelta(minutes=1)
    WorkerProcess.objects.update(doing_since=ClockTimestamp() - Value(timedelta(minutes=3)))
    worker.says(items=40)
    worker.tell()
    assert since() >= timedelta(minutes=3)


@pytest.mark.parametrize("change", [{"doing": "shard 4"}, {"run_id": None}, {"state": WorkerState.IDLE}])
def test_something_else_to_do_begins_again(run: Run, change: dict[str, object]) -> None:
    worker = Presence("far:1:2", Role.WORKER)
    worker.says(state=WorkerState.WORKING, run_id=run.pk, doing="shard 3")
    worker.tell()
    WorkerProcess.objects.update(doing_since=ClockTimestamp() - Value(timedelta(minutes=3)))
    worker.says(**change)
    worker.tell()
    assert since() < timedelta(minutes=1)


def test_an_idle_process_is_idle_since_it_was(db: None) -> None:
    worker = Presence("far:1:2", Role.WORKER)
    worker.tell()
    WorkerProcess.objects.update(doing_since=ClockTimestamp() - Value(timedelta(minutes=3)))
    worker.tell()
    assert since() >= timedelta(minutes=3)


def serving(name: str, device: str, *queues: str) -> None:
    Presence(name, Role.WORKER, queues, device).tell()


def test_nobody_alive_takes_nothing() -> None:
    there(seen=timedelta(minutes=1))
    there("far:3:4", role=Role.SCHEDULER)
    assert presence.why_no_worker("cpu").startswith("no worker is alive: 'make up' starts some")


def test_a_worker_takes_the_work_of_its_queues_alone() -> None:
    serving("far:1:2", "cpu", "cpu")
    assert presence.why_no_worker("cpu") == ""
    assert presence.why_no_worker("gpu").startswith("no living worker (of 1) serves the queue gpu: 'manage.py worker'")


def test_what_was_planned_on_a_device_is_for_workers_of_its_queue_that_have_it() -> None:
    serving("far:1:2", "cuda", "cpu")
    serving("far:3:4", "cpu", "gpu", "cpu")
    assert presence.why_no_worker("gpu") == presence.why_no_worker("gpu", "cpu") == ""
    lacking = "it was planned on cuda, which no living worker of the queue gpu has (of 1): start one"
    assert presence.why_no_worker("gpu", "cuda").startswith(lacking)
    serving("far:5:6", "cuda", "gpu")
    assert presence.why_no_worker("gpu", "cuda") == ""


def test_processes_of_this_host_that_are_gone_are_buried_at_once_others_after_a_day() -> None:
    host = this_process().split(":")[0]
    there(f"{host}:999999999:1")
    there(this_process())
    there("far:1:2", seen=timedelta(hours=23))
    there("far:3:4", seen=timedelta(hours=25))
    presence.remove_dead()
    assert set(WorkerProcess.objects.values_list("name", flat=True)) == {this_process(), "far:1:2"}


@pytest.mark.django_db(transaction=True)
def test_a_process_is_shown_from_its_first_moment_to_its_last(elsewhere: Elsewhere) -> None:
    with Presence("here:1:2", Role.WORKER).shown():
        for _ in range(500):
            if elsewhere(WorkerProcess.objects.exists).result():
                break
        assert WorkerProcess.objects.get().name == "here:1:2"
    assert not WorkerProcess.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_an_outage_is_logged_once_with_what_follows_and_so_is_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "EVERY_SECONDS", 0.001)
    tried: list[int] = []

    def away(_: Presence) -> None:
        tried.append(1)
        raise OperationalError("connection\nrefused")

    monkeypatch.setattr(Presence, "tell", away)
    with capture_logs() as logged, Presence("here:1:2", Role.WORKER).shown():
        while len(tried) < 5:
            sleep(0.001)
    failed, back = logged
    assert (failed["log_level"], failed["error"]) == ("warning", "connection refused")
    assert "tried again" in failed["then"]
    assert "20 seconds" in failed["then"]
    assert back["event"] == "the database answers again"
