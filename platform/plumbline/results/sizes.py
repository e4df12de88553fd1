"""How much runs hold: their records in all fact tables, and the bytes on the disk."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection
from psycopg import sql

from plumbline.results.partitions import own_partitions
from plumbline.results.tables import RECORD_TABLES, SCHEMA

SHARED = """
SELECT count(*), coalesce(sum(pg_column_size(record)), 0) FROM {table} AS record WHERE run = ANY(%s)
"""
OWN = "SELECT count(*), pg_total_relation_size(%s) FROM {table}"


@dataclass(frozen=True)
class Size:
    """Records, and bytes: partitions whole, with their indexes, and in shared tables the rows alone."""

    records: int = 0
    bytes: int = 0

    def __add__(self, other: "Size") -> "Size":
        return Size(self.records + other.records, self.bytes + other.bytes)


def size_of(runs: Sequence[int]) -> Size:
    """Return what these runs hold together."""
    shared = [_read(SHARED, f"{name}_default", list(runs)) for name in RECORD_TABLES]
    own = [_read(OWN, name, f"{SCHEMA}.{name}") for run in runs for name in own_partitions(run)]
    return sum([*shared, *own], Size())


def _read(query: str, table: str, parameter: str | list[int]) -> Size:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(query).format(table=sql.Identifier(SCHEMA, table)).as_string(), [parameter])
        return Size(*map(int, cursor.fetchone()))
