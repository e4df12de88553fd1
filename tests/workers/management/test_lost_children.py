"""The queue of a worker's children, of which one dies while it holds the lock."""

from types import SimpleNamespace
from typing import Any

import pytest
from billiard import get_context

from workers.management.lost_children import spare_the_next_child


def consumer(down: Any = None) -> SimpleNamespace:
    pool = SimpleNamespace(_inqueue=get_context().SimpleQueue(), on_process_down=down)
    return SimpleNamespace(pool=SimpleNamespace(_pool=pool))


@pytest.mark.parametrize("is_held", [True, False])
def test_after_a_death_the_lock_is_free_whoever_held_it(is_held: bool) -> None:
    sender = consumer()
    spare_the_next_child(sender)
    pool = sender.pool._pool
    if is_held:
        pool._inqueue._rlock.acquire()
    pool.on_process_down(object())
    assert pool._inqueue._rlock.acquire(block=False)


def test_a_pool_whose_children_have_a_queue_each_keeps_its_own_way() -> None:
    own = object()
    sender = consumer(own)
    spare_the_next_child(sender)
    assert sender.pool._pool.on_process_down is own
