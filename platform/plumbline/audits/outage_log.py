"""One log line at the start of a database outage, and one at its end."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from django.db import Error, connection

log = structlog.get_logger(__name__)


class OutageLog:
    """The outages of one thread, which continues without the database."""

    def __init__(self) -> None:
        self.lasts = False

    @contextmanager
    def tolerated(self, failed: str, then: str, **about: Any) -> Iterator[None]:
        """Suppress database errors in the body and log the first of an outage.

        `failed` says what failed and `then` what follows. The connection is closed at the end, since no fork may
        inherit it.
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
