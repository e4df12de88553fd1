"""A connection of the reader, for one question, that gives up on answers which take too long or are too large.

The login's rights are what protects. The rest bounds what a question may cost: one statement, so none can lift the
limits of the next; the server's time limit; our own, should the server not answer; the bytes that come back, since one
value alone may hold a gigabyte.
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

from plumbline.sql_page.faults import AskError, too_large, too_long

GRACE = 2.0
"""So many seconds longer than the server we wait, for its own message is the better one."""
FIRST_READS = 4
"""While it does not know a row's length, libpq leaves some of what has come; later it reads all there is."""

# Values as PostgreSQL writes them, of every type: no date or number is too large for Python then.
AS_WRITTEN = AdaptersMap(types=types)
AS_WRITTEN.register_loader(0, TextLoader)
AS_WRITTEN.register_dumper(str, StrDumperUnknown)


class Guarded(psycopg.Connection[Any]):
    """Waits until `deadline` (of time.monotonic), and for so many bytes."""

    deadline = float("inf")
    bytes_left = float("inf")
    timeout = 0.0

    def wait(self, gen: PQGen[Any], *args: Any, **options: Any) -> Any:
        found = super().wait(self._limited(gen), *args, **options)
        if isinstance(found, psycopg.pq.PGresult):
            self._take(_size(found))
        return found

    def _limited(self, gen: PQGen[Any]) -> Generator[Any, Any, Any]:
        """The same wait, looked at around each read: what was read of a row counts until the row is whole."""
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
        """Bytes that came and wait in the socket."""
        waiting = array.array("i", [0])
        fcntl.ioctl(self.pgconn.socket, termios.FIONREAD, waiting)
        return waiting[0]

    def _take(self, size: int) -> None:
        self.bytes_left -= size
        if self.bytes_left < 0:
            raise too_large()


def _size(result: PGresult) -> int:
    """Bytes that the values took on their way: each has four that tell its length."""
    rows, columns = range(result.ntuples), range(result.nfields)
    return sum(4 + len(result.get_value(row, column) or b"") for row in rows for column in columns)


@contextmanager
def reader(label: str, timeout: float, most_bytes: int) -> Iterator[Guarded]:
    """A fresh connection, shown to the server's operators as `label`. AskError: nobody can log in as the reader."""
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
            "Ask an operator to see whether PostgreSQL runs, and whether READER_DATABASE_URL is what"
            " `manage.py reader create` printed.",
        ) from None
    try:
        connection.timeout, connection.bytes_left = timeout, most_bytes
        connection.deadline = time.monotonic() + timeout + GRACE
        _refuse_owners(connection)
        yield connection
    finally:
        connection.close()


def _refuse_owners(connection: Guarded) -> None:
    """Somebody may have named another login: the tables under the views tell."""
    row = connection.execute("SELECT has_table_privilege('results.association', 'SELECT')").fetchone()
    if row != ("f",):
        raise AskError(
            "READER_DATABASE_URL names a login that may read more than the views.",
            "Ask an operator to put there what `manage.py reader create` prints.",
        )
