"""The same work delivered many times, and work of several kinds: the lease and the database decide who does what."""

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest

from plumbline.audits import worker_messages
from plumbline.audits.clock import now
from plumbline.audits.launching import launch
from plumbline.audits.models import Phase, Run, Shard, WorkerProcess
from plumbline.audits.states import Priority
from plumbline.spec.audit import parse
from tests.faults.brokers import Embedded
from tests.faults.messages import sent_to
from tests.faults.site import Site
from workers.execution.worker_loop import STAY_SECONDS

pytestmark = pytest.mark.slow

MESSAGES = 50


@pytest.fixture(autouse=True)
def heard(site: Site) -> Iterator[None]:
    """What this process sends reaches the workers."""
    with sent_to(Embedded(site.var).url):
        yield


def deliver() -> None:
    for _ in range(MESSAGES):
        worker_messages.hint("gpu")


def test_work_that_is_delivered_many_times_is_done_once(site: Site, undisturbed: str) -> None:
    site.worker()
    site.worker()
    deliver()
    run = site.launch()
    site.wait_for_a_shard_in_work(run)
    deliver()
    assert site.wait_for_end(run).state == "done", run.error
    assert set(Shard.objects.filter(run=run).values_list("attempts", flat=True)) == {1}
    assert set(Phase.objects.filter(run=run, sharded=False).values_list("attempts", flat=True)) == {1}
    assert Shard.objects.filter(run=run).values("leased_by").distinct().count() == 2
    assert site.digest(run) == undisturbed


def test_what_somebody_waits_for_overtakes_bulk_work(site: Site) -> None:
    site.worker()
    bulk = launch(parse(site.spec), reuse=False, priority=Priority.BULK)
    site.wait_for_a_shard_in_work(bulk)
    urgent = site.launch(templates={"inline": ["All {group.plural} are {attribute}."]})
    launched_at = now()
    assert site.wait_for_end(urgent).state == site.wait_for_end(bulk).state == "done", site.logs()
    before = Shard.objects.filter(run=bulk, done_at__lt=urgent.finished_at)
    begun = [shard.done_at - timedelta(seconds=shard.seconds or 0) for shard in before if shard.done_at]
    # On a busy machine a shard that the worker took in time may begin later: one, but never a second.
    late = [moment for moment in begun if moment >= launched_at + timedelta(seconds=STAY_SECONDS)]
    assert len(late) <= 1, f"a worker stays with a run no longer: {late}"
    assert Shard.objects.filter(run=bulk, done_at__gt=urgent.finished_at).exists()


def test_a_worker_takes_only_what_is_in_its_queues(site: Site, undisturbed: str) -> None:
    site.scheduler()
    without_models = worker_of(site, "cpu")
    run = site.launch()
    time.sleep(3)  # some sweeps, each with its messages
    assert taken_by(run) == set()
    with_models = worker_of(site, "gpu")
    assert site.wait_for_end(run).state == "done", run.error
    assert taken_by(run, name="planning") == {with_models}
    assert set(Shard.objects.filter(run=run).values_list("leased_by", flat=True)) == {with_models}
    assert taken_by(run, name="summary") == {without_models}
    assert site.digest(run) == undisturbed


def worker_of(site: Site, queue: str) -> str:
    """The name of a new worker that serves this queue alone."""
    process = site.start("worker", f"--queues={queue}")
    workers = WorkerProcess.objects.filter(role="worker", queues=[queue])
    site.wait(workers.exists, process)
    return workers.get().name


def taken_by(run: Run, **which: str) -> set[str]:
    return set(Phase.objects.filter(run=run, **which).exclude(leased_by="").values_list("leased_by", flat=True))
