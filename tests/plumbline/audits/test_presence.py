"""Who is alive."""

from datetime import timedelta

import pytest
from django.db.models import Value

from plumbline.audits import presence
from plumbline.audits.clock import ClockTimestamp
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


def test_a_worker_that_was_seen_lately_is_alive() -> None:
    there("far:1:2", seen=timedelta(seconds=5))
    there("far:3:4", seen=timedelta(seconds=30))
    assert [worker.name for worker in presence.alive()] == ["far:1:2"]


def test_a_scheduler_is_no_worker() -> None:
    there(role=Role.SCHEDULER)
    assert not presence.alive().exists()
    assert presence.alive(Role.SCHEDULER).exists()


def test_only_idle_workers_of_a_queue_wait_for_its_work() -> None:
    there("far:1:2")
    there("far:3:4", state=WorkerState.WORKING)
    assert (presence.idle("gpu"), presence.idle("cpu")) == (1, 0)


def test_a_process_says_what_it_does(run: Run) -> None:
    there(state=WorkerState.WORKING, run_id=run.pk, doing="shard 3", items=20)
    there(items=40)
    row = WorkerProcess.objects.get()
    assert (row.run, row.doing, row.items) == (None, "", 40)


def test_processes_of_this_host_that_are_gone_are_buried_at_once_others_after_a_day() -> None:
    host = this_process().split(":")[0]
    there(f"{host}:999999999:1")
    there(this_process())
    there("far:1:2", seen=timedelta(hours=23))
    there("far:3:4", seen=timedelta(hours=25))
    presence.bury()
    assert set(WorkerProcess.objects.values_list("name", flat=True)) == {this_process(), "far:1:2"}


@pytest.mark.django_db(transaction=True)
def test_a_process_is_shown_from_its_first_moment_to_its_last(elsewhere: Elsewhere) -> None:
    with Presence("here:1:2", Role.WORKER).shown():
        for _ in range(500):
            if elsewhere(WorkerProcess.objects.exists).result():
                break
        assert WorkerProcess.objects.get().name == "here:1:2"
    assert not WorkerProcess.objects.exists()
