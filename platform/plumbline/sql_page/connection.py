"""A connection of the reader for one query, with limits on time and size.

The login's rights give the protection. The rest bounds the cost of a query: one statement, so that none lifts the
limits of the next, the server's time limit, our own in case the server does not respond, and the bytes received, since
a single value may hold a gigabyte.
"""

import array
import fcntl
import termios
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.conf import settings
from psycopg import RawCursor
from psycopg.abc import PQGen
from psycopg.adapt import AdaptersMap
from psycopg.postgres import types
from psycopg.pq.abc import PGresult
from psycopg.types.string import StrDumperUnknown, TextLoader

from plumbline import embedded_reader
from plumbline.sql_page.faults import AskError, too_large, too_long

GRACE = 2.0
"""Seconds that we wait longer than the server, since its own message is better."""
FIRST_READS = 4
"""The reads that may leave data in the socket: libpq does so until it knows a row's length."""

# Values of all types stay texts, so that no date or number is too large for Python.
AS_WRITTEN = AdaptersMap(types=types)
AS_WRITTEN.register_loader(0, TextLoader)
AS_WRITTEN.register_dumper(str, StrDumperUnknown)


class Guarded(psycopg.Connection[Any]):
    """A connection that waits until `deadline` (of time.monotonic) and reads at most `bytes_left` bytes."""

    deadline = float("inf")
    bytes_left = float("inf")
    timeout = 0.0

    def wait(self, gen: PQGen[Any], *args: Any, **options: Any) -> Any:
        found = super().wait(self._limited(gen), *args, **options)
        if isinstance(found, psycopg.pq.PGresult):
            self._take(_size(found))
        return found

    def _limited(self, gen: PQGen[Any]) -> Generator[Any, Any, Any]:
        """Wrap a wait with checks around each read. Bytes of an incomplete row count when the row is complete."""
        before, reads = self.bytes_left, 0
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if time.monotonic() > self.deadline:
                    raise too_long(self.timeout)
                unread = self._unread() if ready else 0
                wanted = gen.send(ready)
                reads += bool(ready)
                if reads > FIRST_READS:
                    self._take(unread)
        except StopIteration as end:
            self.bytes_left = before
            return end.value

    def _unread(self) -> int:
        """Return the number of received bytes that wait in the socket."""
        waiting = array.array("i", [0])
        fcntl.ioctl(self.pgconn.socket, termios.FIONREAD, waiting)
        return waiting[0]

    def _take(self, size: int) -> None:
        self.bytes_left -= size
        if self.bytes_left < 0:
            raise too_large()


def _size(result: PGresult) -> int:
    """Return the bytes of the values as transferred, each with four bytes for its length."""
    rows, columns = range(result.ntuples), range(result.nfields)
    return sum(4 + len(result.get_value(row, column) or b"") for row in rows for column in columns)


@contextmanager
def reader(label: str, timeout: float, most_bytes: int) -> Iterator[Guarded]:
    """Open a connection that operators see as `label`. Raises AskError if the reader cannot log in."""
    try:
        connection = Guarded.connect(
            settings.READER_DATABASE_URL,
            autocommit=True,
            context=AS_WRITTEN,
            cursor_factory=RawCursor,
            connect_timeout=5,
            application_name=label,
            client_encoding="utf8",
            options=(
                f"-c default_transaction_read_only=on -c statement_timeout={round(timeout * 1000)}"
                " -c client_connection_check_interval=1000 -c idle_session_timeout=60000"
            ),
        )
    except psycopg.Error:
        raise AskError(
            "The reader cannot log in to the database.",
            _remedy(),
        ) from None
    try:
        connection.timeout, connection.bytes_left = timeout, most_bytes
        connection.deadline = time.monotonic() + timeout + GRACE
        _refuse_owners(connection)
        yield connection
    finally:
        connection.close()


def _remedy() -> str:
    if embedded_reader.address(settings.VAR_DIR) == settings.READER_DATABASE_URL:
        return "Ask an operator to run `manage.py migrate`, which gives the embedded database this login again."
    return (
        "Ask an operator to check that PostgreSQL runs and that READER_DATABASE_URL is what"
        " `manage.py reader create` printed."
    )


def _refuse_owners(connection: Guarded) -> None:
    """Raise AskError if the login can read the tables under the views."""
    row = connection.execute("SELECT has_table_privilege('results.association', 'SELECT')").fetchone()
    if row != ("f",):
        raise AskError(
            "READER_DATABASE_URL names a login that may read more than the views.",
            "Ask an operator to set it to what `manage.py reader create` prints.",
        )
