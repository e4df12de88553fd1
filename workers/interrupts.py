"""An interrupt in the middle of a statement of the database."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error


@contextmanager
def interrupts() -> Iterator[None]:
    """An interrupt cuts a statement in two; what tidies up after it may fail then, and must not hide it."""
    try:
        yield
    except Error as error:
        if was_interrupted(error):
            raise KeyboardInterrupt from error
        raise


def was_interrupted(error: BaseException | None) -> bool:
    """Whether an interrupt was on its way when the error came."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None
