"""A limit of one thread for BLAS and OpenMP, because the threads of small matrices only wait for one another."""

from contextlib import AbstractContextManager

from threadpoolctl import threadpool_limits


def one_thread() -> AbstractContextManager[object]:
    """Return a context in which BLAS and OpenMP use one thread each, so that sums have one order."""
    limited: AbstractContextManager[object] = threadpool_limits(1)
    return limited
