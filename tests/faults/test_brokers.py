"""Brokers that are flushed, stopped, killed, silent or not there yet. A lost message costs seconds, and no work."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from amqp.exceptions import ConsumerCancelled  # type: ignore[import-untyped]
from celery.worker import loops
from django.db import connection
from kombu import entity

from plumbline.audits import worker_messages
from plumbline.audits.clock import now
from plumbline.audits.models import Run, Shard, WorkerProcess
from tests.faults import machine
from tests.faults.activity import longest_idle_transaction
from tests.faults.brokers import Broker, Embedded, RabbitMQ, Redis, Server, absent
from tests.faults.messages import sent_to
from tests.faults.site import Site

pytestmark = pytest.mark.slow

AT_WORK_SECONDS = 60
LAUNCH_SECONDS = 60
ONE_SHARD = {"templates": {"inline": ["All {group.plural} are {attribute}."]}}


def fixture_of(kind: type[Redis] | type[RabbitMQ], program: str, port: int) -> Any:
    """A server of the session's own, closed at its end; `port` is where the machine would have one."""

    @pytest.fixture(scope="session")
    def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
        if kind.program is None:
            absent(f"{program} is not installed", port)
        with closing(kind(tmp_path_factory.mktemp(program))) as ours:
            yield ours

    return server


redis = fixture_of(Redis, "redis-server", 6379)
rabbitmq = fixture_of(RabbitMQ, "rabbitmq-server", 5672)


@pytest.fixture(scope="session")
def embedded_broker(installation: Site) -> Embedded:
    return Embedded(installation.var)


@pytest.fixture
def broker(request: pytest.FixtureRequest, site: Site) -> Iterator[Broker]:
    """One that is of the tests' own, runs, and is used by all processes and by this one."""
    found: Broker = request.getfixturevalue(request.param)
    found.start()
    site.broker = found.setting
    with sent_to(found.url):
        yield found
        site.broker = ""
    found.start()


ANY = pytest.mark.parametrize("broker", ["embedded_broker", "redis", "rabbitmq"], indirect=True)
SERVER = pytest.mark.parametrize("broker", ["redis", "rabbitmq"], indirect=True)


def seconds_until_work(site: Site, run: Run, since: datetime) -> float:
    """From `since` until a worker took the run up, both by the server's clock."""
    site.wait(lambda: Run.objects.filter(pk=run.pk, started_at__isnull=False).exists())
    run.refresh_from_db()
    assert run.started_at is not None
    return (run.started_at - since).total_seconds()


@ANY
def test_two_workers_share_a_run(site: Site, broker: Broker, undisturbed: str) -> None:
    share_a_run(site, undisturbed)


@pytest.mark.parametrize("own_part", [machine.redis_database, machine.rabbitmq_vhost])
def test_two_workers_share_a_run_on_a_broker_of_this_machine(
    site: Site, own_part: Callable[[], AbstractContextManager[str]], undisturbed: str
) -> None:
    with own_part() as url:
        site.broker = url
        try:
            with sent_to(url):
                share_a_run(site, undisturbed)
        finally:
            site.broker = ""
            for process in site.processes:
                process.kill()


def share_a_run(site: Site, undisturbed: str) -> None:
    site.scheduler()
    workers = [site.worker(), site.worker()]
    site.wait(lambda: all("ready." in worker.log.read_text() for worker in workers))  # they hear messages from now on
    run = site.launch()
    assert site.wait_for_end(run).state == "done", run.error
    assert Shard.objects.filter(run=run).values("leased_by").distinct().count() == 2
    assert site.digest(run) == undisturbed


@ANY
def test_a_flush_loses_no_work(site: Site, broker: Broker, undisturbed: str) -> None:
    site.scheduler()
    site.worker()
    run = site.launch()
    site.wait_for_shards(run, 1)
    broker.flush()
    meanwhile = site.launch(**ONE_SHARD)
    broker.flush()
    assert site.wait_for_end(run).state == site.wait_for_end(meanwhile).state == "done", site.logs()
    assert site.digest(run) == undisturbed
    began = now()
    assert seconds_until_work(site, site.launch(**ONE_SHARD), began) < AT_WORK_SECONDS


@pytest.mark.parametrize("broker", ["rabbitmq"], indirect=True)
def test_a_worker_outlives_a_queue_that_is_deleted_while_it_declares_it(site: Site, broker: Broker) -> None:
    site.worker()
    assert site.wait_for_end(site.launch(**ONE_SHARD)).state == "done", site.logs()
    end = time.monotonic() + 5
    while time.monotonic() < end:
        broker.flush()
    site.scheduler()
    began = now()
    assert seconds_until_work(site, site.launch(**ONE_SHARD), began) < AT_WORK_SECONDS


@contextmanager
def subscribed(server: RabbitMQ, queue: str) -> Iterator[Any]:
    """A connection whose consumer of the queue has heard nothing yet."""
    server.start()
    with server.connection() as connection:
        declared = entity.Queue(queue, auto_delete=True)  # type: ignore[no-untyped-call]
        with connection.Consumer([declared], callbacks=[print]):
            yield connection


def test_a_worker_notices_a_queue_that_is_deleted_before_its_first_message(rabbitmq: RabbitMQ) -> None:
    with subscribed(rabbitmq, "short-lived") as connection:
        with rabbitmq.connection() as other:
            other.default_channel.queue_delete("short-lived")
        with pytest.raises(ConsumerCancelled):
            loops._quick_drain(connection, timeout=10)


def test_a_worker_goes_on_where_no_message_waits(rabbitmq: RabbitMQ) -> None:
    with subscribed(rabbitmq, "quiet") as connection:
        loops._quick_drain(connection)


@SERVER
def test_work_goes_on_without_a_broker_and_what_was_launched_meanwhile_once_it_is_back(
    site: Site, broker: Server, undisturbed: str
) -> None:
    site.scheduler()
    site.worker()
    run = site.launch()
    site.wait_for_shards(run, 1)
    broker.stop()
    assert site.wait_for_end(run).state == "done", run.error
    assert site.digest(run) == undisturbed
    began = time.monotonic()
    meanwhile = site.launch(**ONE_SHARD)
    assert time.monotonic() - began < LAUNCH_SECONDS
    broker.start()
    assert seconds_until_work(site, meanwhile, now()) < AT_WORK_SECONDS
    assert site.wait_for_end(meanwhile).state == "done", meanwhile.error


@pytest.mark.parametrize("broker", ["embedded_broker"], indirect=True)
def test_an_idle_worker_is_woken_once_the_database_that_is_its_broker_is_back(site: Site, broker: Broker) -> None:
    site.worker()
    assert site.wait_for_end(site.launch(**ONE_SHARD)).state == "done", site.logs()
    site.scheduler()
    broker.stop()
    connection.close()
    broker.start()
    began = now()
    assert seconds_until_work(site, site.launch(**ONE_SHARD), began) < AT_WORK_SECONDS


@SERVER
def test_a_worker_that_starts_before_its_broker_waits_for_it(site: Site, broker: Server) -> None:
    """Without a scheduler: a worker that got through looks for work itself."""
    broker.kill()
    worker = site.worker()
    site.wait(lambda: "Cannot connect to" in worker.log.read_text(), worker)
    run = site.launch(**ONE_SHARD)
    broker.start()
    assert seconds_until_work(site, run, now()) < AT_WORK_SECONDS
    assert site.wait_for_end(run).state == "done", run.error


@SERVER
def test_a_launch_does_not_wait_for_a_broker_that_says_nothing(site: Site, broker: Server) -> None:
    site.worker()
    with broker.paused():
        began = time.monotonic()
        run = site.launch(**ONE_SHARD)
        again = site.launch(**ONE_SHARD)
        assert time.monotonic() - began < 2 * LAUNCH_SECONDS
    site.scheduler()
    assert site.wait_for_end(run).state == site.wait_for_end(again).state == "done", site.logs()


@ANY
def test_messages_do_not_pile_up_while_no_worker_lives(site: Site, broker: Broker) -> None:
    """The only one is on another host; messages are sent to it for as long as it is believed to live."""
    empty(broker)
    site.start("scheduler", TICK_SECONDS="0.2")
    site.wait(lambda: WorkerProcess.objects.filter(role="scheduler").exists())
    elsewhere = WorkerProcess.objects.create(
        name="elsewhere:1:1", queues=["gpu", "cpu"], started_at=now(), seen_at=now() + timedelta(minutes=1)
    )
    site.launch(**ONE_SHARD)
    site.wait(lambda: broker.waiting() > 1)
    WorkerProcess.objects.filter(pk=elsewhere.pk).update(seen_at=now() - timedelta(minutes=1))
    time.sleep(2)  # a message of the tick that had begun
    lying = broker.waiting()
    time.sleep(3)
    assert broker.waiting() == lying, site.logs()


@ANY
def test_delivered_messages_are_gone_and_no_transaction_is_left_open(site: Site, broker: Broker) -> None:
    empty(broker)
    site.worker()
    run = site.launch(**ONE_SHARD)
    assert site.wait_for_end(run).state == "done", run.error
    site.wait(lambda: broker.waiting() == 0)
    time.sleep(2)
    assert longest_idle_transaction() < 1.5


def empty(broker: Broker) -> None:
    worker_messages.hint("gpu")  # makes what is to be flushed
    broker.flush()
