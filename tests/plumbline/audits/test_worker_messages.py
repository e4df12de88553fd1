"""Who is woken, and who is left in peace."""

import pytest

from plumbline.audits import life, worker_messages
from plumbline.audits.models import Role, Run, WorkerState
from plumbline.audits.presence import Presence
from plumbline.audits.states import Queue
from plumbline.celery import app


def worker(number: int, queues: tuple[str, ...], state: WorkerState = WorkerState.IDLE, device: str = "cpu") -> None:
    one = Presence(f"far:{number}:1", Role.WORKER, queues, device)
    one.says(state=state)
    one.tell()


def messages(queue: str) -> int:
    """How many wait in the broker of the tests, which is this process's memory; it is empty afterwards."""
    with app.connection_for_write() as broker:
        return int(broker.SimpleQueue(queue).channel.queue_purge(queue))


@pytest.fixture(autouse=True)
def silence() -> None:
    for queue in Queue.values:
        messages(queue)


def test_each_idle_worker_of_the_queue_that_has_work_gets_one_message(run: Run) -> None:
    worker(1, ("gpu",))
    worker(2, ("gpu", "cpu"))
    worker(3, ("cpu",))
    worker(4, ("gpu",), WorkerState.WORKING)
    assert worker_messages.wake() == 2
    assert (messages("gpu"), messages("cpu")) == (2, 0)


def test_a_run_that_was_planned_on_another_device_wakes_nobody(run: Run) -> None:
    worker(1, ("gpu",), device="cpu")
    worker(2, ("gpu",), device="cuda")
    Run.objects.filter(pk=run.pk).update(provenance={"device": "cuda"})
    assert worker_messages.wake() == messages("gpu") == 1


def test_where_there_is_no_work_nobody_is_woken(run: Run) -> None:
    worker(1, ("gpu",))
    life.cancel(run.pk)
    assert worker_messages.wake() == 0
    assert messages("gpu") == 0


def test_while_nobody_is_alive_no_message_piles_up(run: Run) -> None:
    for _ in range(10):
        worker_messages.wake()
    assert messages("gpu") == 0
