"""What a database holds, in numbers that the next release must find again: counts, and digests of contents.

A digest covers the columns that the release had: one that a later release adds changes nothing.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl
from django.db import connection
from django.db.models import Max

from plumbline.audits.models import Run
from plumbline.results import reading
from plumbline.results.columns import VIEWS
from plumbline.results.tables import RECORD_TABLES
from plumbline.vocab.models.recorded import EVENTS

OF_THE_RUN = ("id", "run", "shard")
"""Columns that say where a row lies, not what it holds."""
TABLES = (*RECORD_TABLES, "question", "measure")


def columns_of(table: str) -> list[str]:
    return [name for name in VIEWS[table] if name not in OF_THE_RUN]


def of_run(run: Run, columns: dict[str, list[str]]) -> dict[str, Any]:
    """Its state, and of each table that has rows of it their number and their digest over these columns."""
    found = {table: reading.read(run.pk, table).select(names) for table, names in columns.items()}
    tables = {name: [rows.height, digest(rows)] for name, rows in found.items() if rows.height}
    return {"name": run.name, "probe": run.probe, "state": run.state, "tables": tables}


def digest(rows: pl.DataFrame) -> str:
    """SHA-256 of the rows whatever their order, of floats by their bits."""
    bits = rows.with_columns(
        pl.Series(name, rows[name].fill_null(np.nan).to_numpy().view(np.int64))
        for name, kind in rows.schema.items()
        if kind == pl.Float64
    )
    # Texts are quoted and numbers are not: an empty text and a NULL stay apart.
    text = bits.sort(bits.columns).write_csv(quote_style="non_numeric")
    return hashlib.sha256(text.encode()).hexdigest()


def of_history(upto: dict[str, int] | None = None) -> dict[str, dict[str, int]]:
    """Of each recorded model the number of its events and the last one's; with `upto`, of those up to a last one."""
    found = {}
    for model, event in EVENTS.items():
        events = event.objects.all()
        if upto is not None:
            events = events.filter(pk__lte=upto.get(model.__name__, 0))
        last = events.aggregate(last=Max("pk"))["last"] or 0
        found[model.__name__] = {"events": events.count(), "last": last}
    return found


def rows_of(tables: Iterable[str]) -> dict[str, int]:
    """How many rows each table has."""
    found = {}
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 -- names of tables
            found[table] = int(cursor.fetchone()[0])
    return found
