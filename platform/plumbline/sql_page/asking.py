"""Execution of one SQL statement: returns rows with values as PostgreSQL writes them."""

import itertools
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

import psycopg
from django.conf import settings
from django.db import connection as django
from psycopg.errors import error_from_result
from psycopg.postgres import types
from psycopg.pq import ExecStatus

from plumbline.results.reader_role import may_cancel
from plumbline.sql_page import faults, parameters
from plumbline.sql_page.connection import reader
from plumbline.sql_page.faults import AskError

SHOWN_ROWS, SHOWN_BYTES = 1_000, 4_000_000
FILE_ROWS, FILE_BYTES, FILE_TIMES = 100_000, 100_000_000, 3
"""The limits of a file: rows, bytes, and the factor by which it may take longer than a page."""
ONE_AT_A_TIME = 1835103604
"""The class of the advisory locks that allow one query at a time per person."""

# A code block (DO) could catch the time limit and continue, so statements may begin only with these words. The prefix
# is matched possessively (`*+`), since many comments would otherwise take exponential time. Nested comments are
# rejected, since PostgreSQL nests them.
_ASKS = re.compile(
    r"""
      (?: \s | \( | --[^\r\n]*+(?:[\r\n]|$) | /\*(?:(?!/\*).)*?\*/ )*+
      (?: select | with | values | table | explain | show )\b
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_CANCEL = """
SELECT pg_cancel_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND state = 'active' AND starts_with(application_name, {prefix})
"""

Row = tuple[str | None, ...]


class Kind(StrEnum):
    """The form in which a column's values are written."""

    NUMBER = "number"
    TRUTH = "truth"
    JSON = "json"
    LIST = "list"
    TEXT = "text"


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    kind: Kind
    element: Kind = Kind.TEXT
    """The kind of a list's elements."""


@dataclass(frozen=True)
class Answer:
    """The first rows, whether there are more, and the duration in seconds."""

    columns: list[Column]
    rows: list[Row]
    more: bool
    seconds: float

    def cells(self) -> Iterator[list[tuple[str | None, Column]]]:
        """Yield the rows for a page: each value with its column."""
        return (list(zip(row, self.columns, strict=True)) for row in self.rows)


_KINDS = {types[name].oid: Kind.NUMBER for name in ("int2", "int4", "int8", "float4", "float8", "numeric")} | {
    types["bool"].oid: Kind.TRUTH,
    types["json"].oid: Kind.JSON,
    types["jsonb"].oid: Kind.JSON,
}


def is_ready() -> bool:
    """Return whether a reader is configured. Without one the page only explains how to create it."""
    return bool(settings.READER_DATABASE_URL)


def ask(text: str, values: Mapping[str, str], label: str, most: int = SHOWN_ROWS) -> Answer:
    """Return the first rows of the answer. Raises AskError for any failure."""
    started = time.monotonic()
    with rows(text, values, label) as (columns, found):
        first = list(itertools.islice(found, most))
        more = next(found, None) is not None
    return Answer(columns, first, more, time.monotonic() - started)


@contextmanager
def rows(
    text: str, values: Mapping[str, str], label: str, *, times: int = 1, most_bytes: int = SHOWN_BYTES
) -> Iterator[tuple[list[Column], Iterator[Row]]]:
    """Yield the columns and an iterator of rows. Leaving early cancels the rest."""
    _refuse_other_than_questions(text)
    query, given = parameters.numbered(text).encode(), [values[name] for name in parameters.names(text)]
    timeout, started = times * settings.SQL_TIMEOUT, time.monotonic()
    try:
        with reader(label, timeout, most_bytes) as connection:
            yield _described(connection, query), connection.cursor().stream(query, given)
    except psycopg.Error as error:
        raise faults.of_server(error, text, time.monotonic() - started, timeout) from None


def _described(connection: psycopg.Connection[Row], query: bytes) -> list[Column]:
    """Return the columns of the answer. A stream does not give those of an empty answer."""
    for result in (connection.pgconn.prepare(b"", query), connection.pgconn.describe_prepared(b"")):
        if result.status != ExecStatus.COMMAND_OK:
            raise error_from_result(result, encoding="utf8")
    return [_column(result.fname(number) or b"", result.ftype(number)) for number in range(result.nfields)]


def _column(name: bytes, oid: int) -> Column:
    found = types.get(oid)
    if found is None:
        return Column(name.decode(), "", Kind.TEXT)
    own = _KINDS.get(found.oid, Kind.TEXT)
    kind, element = (Kind.LIST, own) if oid == found.array_oid else (own, Kind.TEXT)
    return Column(name.decode(), found.get_type_display(oid=oid), kind, element)


def cancel(prefix: str) -> int:
    """Cancel the queries whose labels have this prefix. Returns their number.

    Our own login cancels them if it is a superuser or has the role pg_signal_backend. Otherwise the reader does so,
    where that function is not withheld.
    """
    if may_cancel(django):
        with django.cursor() as cursor:
            cursor.execute(_CANCEL.format(prefix="%s"), [prefix])
            return len(cursor.fetchall())
    with reader("plumbline sql cancel", settings.SQL_TIMEOUT, SHOWN_BYTES) as connection:
        query = _CANCEL.format(prefix="$1") + "AND usename = current_user"
        return len(connection.execute(query, [prefix]).fetchall())


@contextmanager
def one_at_a_time(person: int) -> Iterator[None]:
    """Hold the person's lock. Raises AskError while the person's other query runs, since each occupies a web thread."""
    with django.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [ONE_AT_A_TIME, person])
        if cursor.fetchone() != (True,):
            raise AskError("Another query of yours is still running.", "Wait for it, or cancel it.")
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [ONE_AT_A_TIME, person])


def _refuse_other_than_questions(text: str) -> None:
    if not _ASKS.match(text):
        raise AskError(
            "This page only reads: a query begins with SELECT, WITH, VALUES, TABLE, EXPLAIN or SHOW.",
            "Try: SELECT * FROM results.v_run",
        )
