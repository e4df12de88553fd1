"""SQLAlchemy's statements on Django's connection.

Django owns the connection and the transaction. SQLAlchemy only writes SQL: a statement is compiled for psycopg and
executed on Django's cursor, so that it belongs to the caller's transaction. There is no engine and no pool.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper
from sqlalchemy import ClauseElement
from sqlalchemy.dialects.postgresql import psycopg

# SQLAlchemy's dialects carry no types for their constructor.
_DIALECT = psycopg.dialect()  # type: ignore[no-untyped-call]


def compiled(statement: ClauseElement) -> tuple[str, dict[str, Any]]:
    """The SQL text and its parameters, for a psycopg cursor."""
    result = statement.compile(dialect=_DIALECT, compile_kwargs={"render_postcompile": True})
    return str(result), dict(result.params)


@contextmanager
def executed(statement: ClauseElement) -> Iterator[CursorWrapper]:
    """The cursor of an executed statement, closed at the end."""
    with connection.cursor() as cursor:
        cursor.execute(*compiled(statement))
        yield cursor


def rows(statement: ClauseElement) -> list[tuple[Any, ...]]:
    """All rows of a query."""
    with executed(statement) as cursor:
        return list(cursor.fetchall())


def run(statement: ClauseElement) -> int:
    """Execute INSERT, UPDATE or DELETE; the number of rows that it touched."""
    with executed(statement) as cursor:
        return int(cursor.rowcount)
