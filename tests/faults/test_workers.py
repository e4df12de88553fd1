"""Workers that die, stall, stop, run out of memory or have a wrong clock in the middle of their work."""

import resource
import time
from contextlib import suppress

import psutil  # type: ignore[import-untyped]
import pytest
from django.db import connection

from plumbline.audits import life
from plumbline.audits.clock import now
from plumbline.audits.models import Run, Shard, WorkerProcess, WorkerState
from plumbline.results import reading
from tests.faults.activity import blocked
from tests.faults.clocks import clock
from tests.faults.site import LEASE_SECONDS, Site

pytestmark = pytest.mark.slow


def most_attempts(run: Run) -> int:
    return max(Shard.objects.filter(run=run).values_list("attempts", flat=True))


def test_a_worker_killed_in_mid_shard_loses_nothing(site: Site, undisturbed: str) -> None:
    run = site.launch()
    first = site.worker()
    site.wait_for_shards(run, 1)
    shard = site.wait_for_a_shard_in_work(run)
    first.kill()
    killed_at = now()
    site.scheduler()
    site.worker()
    site.wait(lambda: Shard.objects.get(pk=shard.pk).attempts == 2)
    assert (now() - killed_at).total_seconds() < 60
    assert site.wait_for_end(run).state == "done", run.error
    assert site.digest(run) == undisturbed


def test_a_killed_child_is_replaced_and_its_work_done_again(site: Site, undisturbed: str) -> None:
    """What the kernel does to a process that takes too much memory."""
    site.scheduler()
    worker, run = site.worker(), site.launch()
    site.wait_for_a_shard_in_work(run)
    worker.child.kill()
    assert site.wait_for_end(run).state == "done", run.error
    assert (most_attempts(run), site.digest(run)) == (2, undisturbed)


def test_the_next_child_takes_work_where_one_was_killed_while_it_waited_for_some(site: Site, undisturbed: str) -> None:
    worker = site.worker()
    first = worker.child
    site.wait(lambda: WorkerProcess.objects.filter(role="worker", state=WorkerState.IDLE).exists(), worker)
    first.kill()
    site.wait(lambda: [one.pid for one in psutil.Process(worker.popen.pid).children()] not in ([], [first.pid]), worker)
    run = site.launch()
    assert site.wait_for_end(run).state == "done", run.error
    assert site.digest(run) == undisturbed


def test_a_worker_killed_in_mid_copy_leaves_no_record_of_the_shard(site: Site, undisturbed: str) -> None:
    worker = site.worker()
    with site.locked("results.association"):
        run = site.launch()
        site.wait(lambda: copying() == 1)
        worker.kill()
    # The server notices that its client is gone when it may go on: the COPY is undone then.
    site.wait(lambda: copying() == 0)
    assert not len(reading.read(run.pk))
    site.scheduler()
    site.worker()
    assert site.wait_for_end(run).state == "done", run.error
    assert (most_attempts(run), site.digest(run)) == (2, undisturbed)


def copying() -> int:
    """How many COPYs wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'COPY%' AND wait_event_type = 'Lock'")
        return int(cursor.fetchone()[0])


def test_a_worker_out_of_memory_is_replaced_and_the_run_goes_on(site: Site, undisturbed: str) -> None:
    site.scheduler()
    worker, run = site.worker(), site.launch()
    site.wait_for_shards(run, 1)
    child = worker.child
    forbid_more_memory(child)
    site.wait(lambda: not child.is_running())
    # Which error it is depends on who asked for the page: an allocator, a thread, or Python itself. Where no memory is
    # left to tell it, the parent process tells how its child ended.
    site.wait(
        lambda: any(
            one in worker.log.read_text() for one in ("this process ends and another tries", "exited prematurely")
        )
    )
    assert site.wait_for_end(run).state == "done", run.error
    assert site.digest(run) == undisturbed
    assert most_attempts(run) <= 2  # 1 where the memory ended between two shards


def forbid_more_memory(process: psutil.Process) -> None:
    """From now on every new page is refused."""
    resource.prlimit(process.pid, resource.RLIMIT_AS, (1, 1))


def test_work_that_kills_every_worker_ends_the_run_and_says_so(site: Site) -> None:
    site.scheduler()
    worker, run = site.worker(), site.launch()
    while life.find(run.pk).state != "failed":
        site.wait(lambda: life.find(run.pk).state == "failed" or in_work(run))
        for child in psutil.Process(worker.popen.pid).children():
            with suppress(psutil.NoSuchProcess):
                child.kill()
    run.refresh_from_db()
    assert "was begun 3 times and never ended" in run.error
    assert f"audit resume {run.pk}" in run.error


def in_work(run: Run) -> bool:
    return Shard.objects.filter(run=run, number=0, token__isnull=False).exists()


def test_a_lease_that_ends_while_its_worker_still_works_is_taken_over(site: Site, undisturbed: str) -> None:
    """The first worker stands still for longer than its lease, then goes on as if nothing had happened."""
    run = site.launch()
    first = site.worker()
    shard = site.wait_for_a_shard_in_work(run)
    stalled = first.child
    stalled.suspend()
    second = site.worker()
    site.wait(lambda: Shard.objects.get(pk=shard.pk).attempts == 2)
    taken_by = Shard.objects.get(pk=shard.pk).leased_by
    stalled.resume()
    assert site.wait_for_end(run).state == "done", run.error
    assert taken_by != shard.leased_by
    assert Shard.objects.get(pk=shard.pk).leased_by == taken_by
    assert site.digest(run) == undisturbed
    assert (first.stop(), second.stop()) == (0, 0)


def test_a_worker_frozen_while_it_writes_holds_nobody_up(site: Site, undisturbed: str) -> None:
    worker, run = site.worker(), site.launch()
    site.wait_for_shards(run, 1)
    with site.locked("results.association"):
        site.wait(lambda: blocked() == 1)
        worker.child.suspend()
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '5s'")
        assert life.cancel(run.pk)
        life.resume(run.pk)
        cursor.execute("RESET lock_timeout")
    worker.child.resume()
    assert site.wait_for_end(run).state == "done", run.error
    assert site.digest(run) == undisturbed


def test_a_transaction_that_makes_no_progress_is_ended_like_a_lease(site: Site, undisturbed: str) -> None:
    worker, run = site.worker(), site.launch()
    site.wait_for_shards(run, 1)
    with site.locked("audits_shard"):
        site.wait(lambda: blocked() > 0)
        worker.child.suspend()
    site.scheduler()
    site.worker()
    assert site.wait_for_end(run).state == "done", run.error
    assert site.digest(run) == undisturbed
    worker.child.resume()


def test_a_stopped_worker_gives_its_work_back_uncounted(site: Site, undisturbed: str) -> None:
    worker, run = site.worker(), site.launch()
    site.wait_for_shards(run, 1)
    site.wait_for_a_shard_in_work(run)
    began = time.monotonic()
    assert worker.stop() == 0
    assert time.monotonic() - began < 120
    assert not Shard.objects.filter(run=run, token__isnull=False).exclude(state="done").exists(), site.logs()
    site.worker()
    assert site.wait_for_end(run).state == "done", run.error
    assert (most_attempts(run), site.digest(run)) == (1, undisturbed)


def test_a_cancelled_run_stops_within_a_lease_and_goes_on_when_resumed(site: Site, undisturbed: str) -> None:
    site.worker()
    run = site.launch()
    site.wait_for_shards(run, 1)
    shard = site.wait_for_a_shard_in_work(run)
    life.cancel(run.pk)
    site.wait(lambda: not WorkerProcess.objects.filter(state=WorkerState.WORKING).exists())
    assert Shard.objects.get(pk=shard.pk).state == "ready"
    life.resume(run.pk)
    assert site.wait_for_end(run).state == "done", run.error
    assert site.digest(run) == undisturbed


@pytest.mark.parametrize("off", ["+3600s", "-3600s"])
def test_a_worker_whose_clock_is_off_by_an_hour_works_like_any_other(site: Site, undisturbed: str, off: str) -> None:
    run = site.launch()
    wrong = site.worker(**clock(off))
    site.wait_for_shards(run, 1)
    shard = site.wait_for_a_shard_in_work(run)
    left = (shard.lease_until - now()).total_seconds() if shard.lease_until else 0
    assert 0 < left <= LEASE_SECONDS
    site.worker()
    assert site.wait_for_end(run).state == "done", run.error
    assert (most_attempts(run), site.digest(run)) == (1, undisturbed)
    assert shard.leased_by.split(":")[1] == str(wrong.child.pid)
