"""Load a plain-SQL dump through psycopg, without psql: statements as they stand, and COPY's lines as its data."""

import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg

COPY, FROM_STDIN, END_OF_COPY = "COPY ", " FROM stdin;\n", "\\.\n"


def load(connection: psycopg.Connection[Any], dump: Path) -> None:
    """Execute the dump in one transaction of an empty database."""
    with lzma.open(dump, "rt", encoding="utf-8", newline="\n") as file, connection.transaction():
        for statement, lines in parts(file):
            _execute(connection, statement, lines)
        # pg_dump empties the search path; whoever uses this connection next shall have it.
        connection.execute("RESET ALL")


def parts(lines: Iterator[str]) -> Iterator[tuple[str, list[str] | None]]:
    """Statements that need no data together, with None; each COPY with its lines of data."""
    statements: list[str] = []
    for line in lines:
        if line.startswith(COPY) and line.endswith(FROM_STDIN):
            yield "".join(statements), None
            statements = []
            yield line, list(iter(lambda: next(lines), END_OF_COPY))
        else:
            statements.append(line)
    yield "".join(statements), None


def _execute(connection: psycopg.Connection[Any], statement: str, lines: list[str] | None) -> None:
    with connection.cursor() as cursor:
        if lines is None:
            cursor.execute(statement.encode())
            return
        with cursor.copy(statement.encode()) as copy:
            copy.write("".join(lines))
