"""A line in the log when what a thread writes again and again begins to fail, and one when it works again."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from django.db import Error, connection

log = structlog.get_logger(__name__)


class OutageLog:
    """Of one thread, which goes on without the database."""

    def __init__(self) -> None:
        self.lasts = False

    @contextmanager
    def tolerated(self, failed: str, then: str, **about: Any) -> Iterator[None]:
        """Let the body fail where the database does; the first failure of an outage logs what failed and what follows.

        Afterwards the connection is closed: no fork may inherit it.
        """
        try:
            yield
        except Error as error:
            if not self.lasts:
                log.warning(failed, error=" ".join(str(error).split()), then=then, **about)
            self.lasts = True
        else:
            if self.lasts:
                log.info("the database answers again")
            self.lasts = False
        finally:
            connection.close()
