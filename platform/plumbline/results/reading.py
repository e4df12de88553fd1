"""Queries out: a run's records and measures as polars frames, with labels in place of ids.

Records leave the database as numbers; their labels are looked up once and put in here. A million rows take a few
seconds.
"""

import hashlib
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    Table,
    Text,
    column,
    false,
    func,
    literal,
    or_,
    select,
    table,
)

from plumbline.results import statements
from plumbline.results.columns import LABELS, VIEWS, Columns
from plumbline.results.ids import ROW_BITS, ROWS, SHARDS, first_id, id_range
from plumbline.results.streaming import fetched, packed
from plumbline.results.tables import RECORD_TABLES, SCHEMA
from plumbline.results.terms import known_ids, listed, texts_of
from plumbline.spec.errors import InputError

ROWS_PER_FRAME = 50_000
_CELL = ("template", "group", "attribute")


def read(run: int, name: str = "association", /, **where: Any) -> pl.DataFrame:
    """A run's rows of a table: records of numbers in order of id, records with texts and measures of their labels.

    `where` names columns and the value, or the list of values, that they have:
    read(7, group=["women", "men"], scorable=True). InputError for an unknown table or column.
    """
    return pl.concat(list(frames(run, name, rows=20 * ROWS_PER_FRAME, **where)))


def frames(run: int, name: str, /, rows: int = ROWS_PER_FRAME, **where: Any) -> Iterator[pl.DataFrame]:
    """The same in frames of at most `rows` rows, never the whole; at least one frame, which may be empty.

    Each frame is a query of its own, so that the caller may query in between, or stop.
    """
    columns = columns_of(name)
    for key in where:
        if key not in columns:
            raise InputError(f"table {name!r} has no column {key!r}; there are: {', '.join(columns)}.")
    if name not in RECORD_TABLES or _has_texts(RECORD_TABLES[name]):
        yield from fetched(_view_query(run, name, where), columns, rows)
        return
    query, records = _record_query(run, name, where), RECORD_TABLES[name]
    for first, last in _pages(run, query, records, rows):
        yield _labelled(packed(query.where(records.c.id.between(first, last))), columns, LABELS[name])


def _has_texts(records: Table) -> bool:
    """Texts of the rows' own, beside the labels: only numbers leave the database packed."""
    return any(isinstance(one.type, Text) for one in records.c)


def columns_of(name: str) -> Columns:
    """The columns of a table as read and exported. InputError for an unknown table."""
    if name not in VIEWS:
        raise InputError(f"no table is called {name!r}; there are: {', '.join(VIEWS)}.")
    return VIEWS[name]


def digest(run: int, name: str = "association") -> str:
    """SHA-256 of a run's records by content: labels, and the bits of the floats.

    The run's number, the order, the shards and the ids of terms do not count: equal digests are equal records.
    """
    content = read(run, name).drop("id", "run", "shard")
    bits = content.with_columns(
        pl.Series(key, content[key].to_numpy().view(np.int64))
        for key, kind in content.schema.items()
        if kind == pl.Float64
    )
    # Texts are quoted and numbers are not: an empty text and a NULL stay apart.
    text = bits.sort(*LABELS[name], *bits.columns).write_csv(quote_style="non_numeric")
    return hashlib.sha256(text.encode()).hexdigest()


def paired(run_a: int, run_b: int) -> pl.DataFrame:
    """Two runs' associations item by item: template, group, attribute, score_a, score_b, in_a, in_b.

    Items that one run alone has are there too; `in_a` and `in_b` say who has them. A score may also be null because
    its item is not scorable.
    """
    a, b = (
        read(run).select(*_CELL, pl.col("score").alias(f"score_{side}"), pl.lit(value=True).alias(f"in_{side}"))
        for run, side in ((run_a, "a"), (run_b, "b"))
    )
    joined = a.join(b, on=list(_CELL), how="full", coalesce=True).sort(*_CELL)
    return joined.select(*_CELL, "score_a", "score_b", pl.col("in_a", "in_b").fill_null(value=False))


def _pages(run: int, query: Select[tuple[Any, ...]], records: Table, rows: int) -> list[tuple[int, int]]:
    """The ranges of ids, first and last, that hold at most so many of the asked records each."""
    place = func.row_number().over(order_by=records.c.id).label("place")
    numbered = query.with_only_columns(records.c.id, place).subquery()
    ends = statements.rows(select(numbered.c.id).where(numbered.c.place % rows == 0).order_by(numbered.c.id))
    bounds = [first_id(run, 0) - 1, *(end for (end,) in ends), id_range(run, SHARDS - 1)[1]]
    return [(before + 1, end) for before, end in itertools.pairwise(bounds)]


def _record_query(run: int, name: str, where: dict[str, Any]) -> Select[tuple[Any, ...]]:
    """The records as they are stored: labels as ids of terms."""
    records = RECORD_TABLES[name]
    shard = records.c.id.op(">>")(literal(ROW_BITS, Integer)).op("&")(SHARDS - 1)
    # The server plans by the numbers themselves: with a query in their place it reads millions of rows to find a few.
    ids = known_ids(text for key, wanted in where.items() if key in LABELS[name] for text in listed(wanted))
    terms = {
        key: [ids[text] for text in listed(wanted) if text in ids] if key in LABELS[name] else listed(wanted)
        for key, wanted in where.items()
    }
    conditions = [(shard if key == "shard" else records.c[key]).in_(wanted) for key, wanted in terms.items()]
    return select(records).where(records.c.run == run, *conditions)


def _view_query(run: int, name: str, where: dict[str, Any]) -> Select[Any]:
    view = table(f"v_{name}", *map(column, VIEWS[name]), schema=SCHEMA)
    conditions = [
        _in_shards(view.c.id, run, wanted) if key == "shard" else view.c[key].in_(listed(wanted))
        for key, wanted in where.items()
    ]
    order = [view.c[key] for key, kind in VIEWS[name].items() if kind == pl.String]
    return select(*view.c).where(view.c.run == run, *conditions).order_by(*order)


def _in_shards(ids: ColumnElement[int], run: int, wanted: Any) -> ColumnElement[bool]:
    """By the ids, which have an index: the number of a shard is only a part of them."""
    return or_(false(), *(ids.between(*id_range(run, shard)) for shard in listed(wanted)))


def _labelled(raw: pl.DataFrame, columns: Columns, names: tuple[str, ...]) -> pl.DataFrame:
    """The records in the view's columns, with the labels of their terms, in order of id."""
    if raw.is_empty():
        return pl.DataFrame(schema=columns)
    found = texts_of(int(number) for key in names for number in raw[key].drop_nulls().unique())
    labels = pl.DataFrame(list(found.items()), schema={"id": pl.Int32, "label": pl.String}, orient="row")
    shard = (pl.col("id") // ROWS % SHARDS).cast(pl.Int32).alias("shard")
    named = (pl.col(key).replace_strict(labels["id"], labels["label"], return_dtype=pl.String) for key in names)
    return raw.with_columns(shard, *named).select(*columns).sort("id")
