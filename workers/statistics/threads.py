"""One thread for the libraries below: small matrices, whose threads would wait for one another."""

from contextlib import AbstractContextManager

from threadpoolctl import threadpool_limits


def one_thread() -> AbstractContextManager[object]:
    """Until it ends, BLAS and OpenMP compute with one thread each, and so sum in one order."""
    limited: AbstractContextManager[object] = threadpool_limits(1)
    return limited
