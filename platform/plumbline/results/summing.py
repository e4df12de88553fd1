"""Sums over a run's records, computed in the database, so that runs of any size return a small frame."""

from collections.abc import Sequence
from typing import Any

import polars as pl
from sqlalchemy import Boolean, Double, Integer, Table, Text, func, select
from sqlalchemy import cast as sql_cast

from plumbline.results import reading, statements
from plumbline.results.columns import LABELS
from plumbline.results.tables import record_table
from plumbline.results.terms import texts_of, with_texts
from plumbline.spec.errors import InputError


def records_or_sums(run: int, table: str, group_by: Sequence[str] = (), **where: Any) -> pl.DataFrame:
    """Return a run's records, or with `group_by` their sums."""
    return sums(run, table, group_by, **where) if group_by else reading.read(run, table, **where)


def sums(run: int, name: str, group_by: Sequence[str], **where: Any) -> pl.DataFrame:
    """Return one row per combination of labels: the labels, the sums of the numeric columns, and `n`, the rows.

    Integers are summed exactly. `where` gives label columns with a value or a list of values. Raises InputError for a
    column that is not a label.
    """
    records = record_table(name)
    for column in (*group_by, *where):
        if column not in LABELS[name]:
            raise InputError(f"table {name!r} has no label {column!r}; choose from {', '.join(LABELS[name])}.")
    keys = [records.c[column] for column in group_by]
    summed = [_sum(records, column) for column in _numbers(records, name)]
    chosen = [records.c[column].in_(with_texts(wanted)) for column, wanted in where.items()]
    query = select(*keys, *summed, func.count().label("n")).where(records.c.run == run, *chosen).group_by(*keys)
    return _labelled(statements.rows(query), group_by, [column.key for column in summed])


def _numbers(records: Table, name: str) -> list[str]:
    labels = {"id", "run", *LABELS[name]}
    return [one.name for one in records.c if one.name not in labels and not isinstance(one.type, Text | Boolean)]


def _sum(records: Table, column: str) -> Any:
    total = func.sum(records.c[column])
    # The sum of integers is a bigint or a numeric, depending on their size.
    whole = isinstance(records.c[column].type, Integer)
    return (sql_cast(total, records.c.id.type) if whole else sql_cast(total, Double)).label(column)


def _labelled(rows: list[tuple[Any, ...]], group_by: Sequence[str], summed: Sequence[str]) -> pl.DataFrame:
    columns = [*group_by, *summed, "n"]
    frame = pl.DataFrame(rows, schema=columns, orient="row") if rows else pl.DataFrame(schema=columns)
    texts = texts_of(number for column in group_by for number in frame[column].drop_nulls())
    named = [frame[column].replace_strict(texts, return_dtype=pl.String).alias(column) for column in group_by]
    return frame.with_columns(named).sort(*group_by)
