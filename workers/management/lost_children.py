"""A worker's child that is killed while it waits for work, as by a system that runs out of memory."""

from functools import partial
from typing import Any, ClassVar

from celery import bootsteps


class SpareTheNextChild(bootsteps.StartStopStep):  # type: ignore[misc]  # celery has no types
    """Let the next child take work, from the moment when the pool has its first one.

    Without an asynchronous broker the children of a worker share one queue, and who waits at it holds its lock. A
    child that is killed there never gives the lock back: the next one said that it was idle, and took nothing. A
    worker of ours has one child, so at its death nobody holds the lock by right. The pool looks for dead children
    after 0.8 seconds for the first time, often before the worker is ready.
    """

    requires: ClassVar = {"celery.worker.components:Pool"}

    def start(self, parent: Any) -> None:
        """Run after the start of the pool of `parent`, the worker, and before that of its consumer."""
        pool = parent.pool._pool
        lock = getattr(getattr(pool, "_inqueue", None), "_rlock", None)
        if lock is not None and pool.on_process_down is None:
            pool.on_process_down = partial(_free, lock)


def _free(lock: Any, _child: Any) -> None:
    lock.acquire(block=False)
    lock.release()
