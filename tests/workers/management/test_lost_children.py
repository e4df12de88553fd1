"""The queue of a worker's children, of which one dies while it holds the lock."""

from types import SimpleNamespace
from typing import Any

import pytest
from billiard import get_context
from celery import Celery
from celery.worker import WorkController

from workers.management.lost_children import SpareTheNextChild


def worker(down: Any = None) -> SimpleNamespace:
    pool = SimpleNamespace(_inqueue=get_context().SimpleQueue(), on_process_down=down)
    return SimpleNamespace(pool=SimpleNamespace(_pool=pool))


@pytest.mark.parametrize("is_held", [True, False])
def test_after_a_death_the_lock_is_free_whoever_held_it(is_held: bool) -> None:
    parent = worker()
    SpareTheNextChild(parent).start(parent)
    pool = parent.pool._pool
    if is_held:
        pool._inqueue._rlock.acquire()
    pool.on_process_down(object())
    assert pool._inqueue._rlock.acquire(block=False)


def test_a_pool_whose_children_have_a_queue_each_keeps_its_own_way() -> None:
    own = object()
    parent = worker(own)
    SpareTheNextChild(parent).start(parent)
    assert parent.pool._pool.on_process_down is own


def test_a_child_that_dies_before_the_worker_is_ready_is_noticed_too() -> None:
    """The pool notices dead children from its start on, and the worker is ready once its consumer has connected."""
    app = Celery("ours", broker="memory://")
    app.steps["worker"].add(SpareTheNextChild)
    started = [step.name for step in WorkController(app, pool="prefork", concurrency=1).steps]
    pool, ours, consumer = (
        started.index(name)
        for name in (
            "celery.worker.components.Pool",
            f"{SpareTheNextChild.__module__}.SpareTheNextChild",
            "celery.worker.components.Consumer",
        )
    )
    assert pool < ours < consumer
