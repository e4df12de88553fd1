"""Partitions of the fact tables: one for each large run, and a default one for all small runs.

Thousands of partitions would cost thousands of locks in every query.
"""

from collections.abc import Mapping
from typing import Any

from django.db import connection, transaction
from psycopg import sql
from sqlalchemy import Table, delete

from plumbline.results import statements
from plumbline.results.tables import RECORD_TABLES, SCHEMA, measure, measure_revision, record_table

OWN_PARTITION_FROM = 100_000
"""The planned records in one table from which a run gets its own partition."""


def prepare(run: int, planned: Mapping[str, int]) -> None:
    """Create the partitions for a run's planned rows, given by table, before its first record. It is safe to repeat."""
    # Always in the same order, so that two planners cannot wait for each other in a ring.
    for name in sorted(planned):
        if planned[name] >= OWN_PARTITION_FROM:
            _part(record_table(name), run)


def _part(parent: Table, run: int) -> None:
    if _has_partition(parent, run):
        return
    with transaction.atomic():
        # Planners wait here for each other. Readers and loaders of other runs do not.
        _execute("LOCK TABLE {parent} IN SHARE UPDATE EXCLUSIVE MODE", parent, run)
        if _has_partition(parent, run):
            return
        _execute("CREATE TABLE {partition} (LIKE {parent} INCLUDING ALL)", parent, run)
        # With the check, ATTACH need not scan the new table. It does scan the default one under an exclusive lock,
        # which takes some tenths of a second per large run.
        _execute("ALTER TABLE {partition} ADD CONSTRAINT one_run CHECK (run = {run})", parent, run)
        _execute("ALTER TABLE {parent} ATTACH PARTITION {partition} FOR VALUES IN ({run})", parent, run)
        _execute("ALTER TABLE {partition} DROP CONSTRAINT one_run", parent, run)


def forget(run: int) -> None:
    """Remove a run's records and measures."""
    with transaction.atomic():
        for parent in RECORD_TABLES.values():
            if _has_partition(parent, run):
                _execute("ALTER TABLE {parent} DETACH PARTITION {partition}", parent, run)
                _execute("DROP TABLE {partition}", parent, run)
            else:
                statements.run(delete(parent).where(parent.c.run == run))
        for table in (measure, measure_revision):
            statements.run(delete(table).where(table.c.run == run))


def own_partitions(run: int) -> list[str]:
    """Return the names of the partitions that hold this run alone."""
    return [_partition(parent, run) for parent in RECORD_TABLES.values() if _has_partition(parent, run)]


def _has_partition(parent: Table, run: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [f"{SCHEMA}.{_partition(parent, run)}"])
        return bool(cursor.fetchone()[0])


def _partition(parent: Table, run: int) -> str:
    return f"{parent.name}_run_{run}"


def _execute(statement: str, parent: Table, run: int) -> None:
    names: dict[str, Any] = {
        "parent": sql.Identifier(SCHEMA, parent.name),
        "partition": sql.Identifier(SCHEMA, _partition(parent, run)),
        "run": sql.Literal(run),
    }
    with connection.cursor() as cursor:
        # A text, because the history of words reads the statements of a signed-in person.
        cursor.execute(sql.SQL(statement).format(**names).as_string())
