"""Execution of SQLAlchemy's statements on Django's connection.

Django owns the connection and the transaction. SQLAlchemy only writes SQL, which is compiled for psycopg and executed
on Django's cursor, in the caller's transaction. There is no engine and no pool.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper
from sqlalchemy import ClauseElement
from sqlalchemy.dialects.postgresql import psycopg

# SQLAlchemy's dialects have untyped constructors.
_DIALECT = psycopg.dialect()  # type: ignore[no-untyped-call]


def compiled(statement: ClauseElement) -> tuple[str, dict[str, Any]]:
    """Return the SQL text and its parameters for a psycopg cursor."""
    result = statement.compile(dialect=_DIALECT, compile_kwargs={"render_postcompile": True})
    return str(result), dict(result.params)


@contextmanager
def executed(statement: ClauseElement) -> Iterator[CursorWrapper]:
    """Execute a statement and yield its cursor."""
    with connection.cursor() as cursor:
        cursor.execute(*compiled(statement))
        yield cursor


def rows(statement: ClauseElement) -> list[tuple[Any, ...]]:
    """Return all rows of a query."""
    with executed(statement) as cursor:
        return list(cursor.fetchall())


def run(statement: ClauseElement) -> int:
    """Execute INSERT, UPDATE or DELETE. Returns the number of affected rows."""
    with executed(statement) as cursor:
        return int(cursor.rowcount)
