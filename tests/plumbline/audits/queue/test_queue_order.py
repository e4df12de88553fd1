"""The queue as auditors reorder it."""

import pytest
from django.contrib.auth.models import User

from plumbline.audits import life
from plumbline.audits.launching import launch
from plumbline.audits.models import QueueMove, Run
from plumbline.audits.queue import queue_order
from plumbline.audits.queue.next_run import choose
from plumbline.audits.states import Priority, Queue
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError
from tests.plumbline.audits.conftest import SPEC

pytestmark = pytest.mark.usefixtures("curated")


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada")


def launched(count: int) -> list[int]:
    return [launch(parse(SPEC)).pk for _ in range(count)]


def order() -> list[int]:
    return [run.pk for run in queue_order.queue()]


def test_a_run_at_the_front_is_taken_first(ada: User) -> None:
    a, b, c = launched(3)
    assert order() == [a, b, c]
    queue_order.move_to_front(c, ada)
    queue_order.move_to_front(b, ada)
    assert order() == [b, c, a]
    chosen = choose(tuple(Queue.values), "cpu")
    assert chosen is not None
    assert chosen.run == b


def test_a_run_that_moves_up_passes_exactly_one(ada: User) -> None:
    a, b, c, d = launched(4)
    queue_order.move_up(d, ada)
    assert order() == [a, b, d, c]
    queue_order.move_up(d, ada)
    assert order() == [a, d, b, c]
    queue_order.move_up(c, ada)
    assert order() == [a, d, c, b]
    queue_order.move_up(d, ada)
    with pytest.raises(InputError, match="already the first"):
        queue_order.move_up(d, ada)
    assert order() == [d, a, c, b]


def test_a_run_given_back_waits_for_its_turn(ada: User) -> None:
    a, b = launched(2)
    queue_order.move_to_front(b, ada)
    queue_order.release(b, ada)
    assert order() == [a, b]
    with pytest.raises(InputError, match="waits for its turn"):
        queue_order.release(b, ada)


def test_a_priority_comes_before_any_place(ada: User) -> None:
    a, b = launched(2)
    queue_order.move_to_front(a, ada)
    queue_order.change_priority(a, Priority.BULK, ada)
    assert order() == [b, a]
    assert Run.objects.get(pk=a).place is None


def test_who_did_what_is_recorded(ada: User) -> None:
    _, b = launched(2)
    queue_order.move_to_front(b, ada)
    queue_order.change_priority(b, Priority.SCHEDULED, ada)
    found = [(one.by, one.kind, one.position_before, one.position_after) for one in QueueMove.objects.order_by("pk")]
    assert found == [(ada, "front", 2, 1), (ada, "priority", 1, 2)]


@pytest.mark.parametrize("move", [queue_order.move_up, queue_order.move_to_front, queue_order.release])
def test_only_a_waiting_run_can_be_moved(ada: User, move: "type[QueueMove]") -> None:
    (run,) = launched(1)
    life.cancel(run)
    for number, why in ((run, "it is cancelled"), (run + 1, "no such run")):
        with pytest.raises(InputError, match=why):
            move(number, ada)
    assert not QueueMove.objects.exists()


def test_a_resumed_run_has_no_place_of_before(ada: User) -> None:
    a, b = launched(2)
    queue_order.move_to_front(b, ada)
    life.cancel(b)
    life.resume(b)
    assert order() == [a, b]
