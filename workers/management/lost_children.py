"""A worker's child that is killed while it waits for work, as by a system that runs out of memory."""

from functools import partial
from typing import Any


def spare_the_next_child(sender: Any, **_: Any) -> None:
    """Let the next child take work. A receiver of Celery's signal `worker_ready`; `sender` is the consumer.

    Without an asynchronous broker the children of a worker share one queue, and who waits at it holds its lock. A
    child that is killed there never gives the lock back: the next one said that it was idle, and took nothing. A
    worker of ours has one child, so at its death nobody holds the lock by right.
    """
    pool = sender.pool._pool
    lock = getattr(getattr(pool, "_inqueue", None), "_rlock", None)
    if lock is not None and pool.on_process_down is None:
        pool.on_process_down = partial(_free, lock)


def _free(lock: Any, _child: Any) -> None:
    lock.acquire(block=False)
    lock.release()
