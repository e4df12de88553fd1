"""A run's records and measures as polars frames, with labels in place of ids.

Records leave the database as numbers. Their labels are looked up once and inserted here. A million rows take a few
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
    """Return a run's rows of a table. Records of numbers are in order of id, others in order of their labels.

    `where` gives columns with a value or a list of values: read(7, group=["women", "men"], scorable=True). Raises
    InputError for an unknown table or column.
    """
    return pl.concat(list(frames(run, name, rows=20 * ROWS_PER_FRAME, **where)))


def frames(run: int, name: str, /, rows: int = ROWS_PER_FRAME, **where: Any) -> Iterator[pl.DataFrame]:
    """Yield the same rows in frames of at most `rows` rows, at least one frame, which may be empty.

    Each frame is its own query, so the caller may run other queries in between, or stop.
    """
    columns = columns_of(name)
    for key in where:
        if key not in columns:
            raise InputError(f"table {name!r} has no column {key!r}; choose from {', '.join(columns)}.")
    if name not in RECORD_TABLES or _has_texts(RECORD_TABLES[name]):
        yield from fetched(_view_query(run, name, where), columns, rows)
        return
    query, records = _record_query(run, name, where), RECORD_TABLES[name]
    for first, last in _pages(run, query, records, rows):
        yield _labelled(packed(query.where(records.c.id.between(first, last))), columns, LABELS[name])


def _has_texts(records: Table) -> bool:
    """Return whether the table has text columns of its own. Only tables of numbers are read in packed form."""
    return any(isinstance(one.type, Text) for one in records.c)


def columns_of(name: str) -> Columns:
    """Return the columns of a table as read and exported. Raises InputError for an unknown table."""
    if name not in VIEWS:
        raise InputError(f"there is no table {name!r}; choose from {', '.join(VIEWS)}.")
    return VIEWS[name]


def digest(run: int, name: str = "association") -> str:
    """Return the SHA-256 of a run's records by content: labels and the bits of floats.

    Run number, order, shards and term ids do not count. Equal digests mean equal records.
    """
    content = read(run, name).drop("id", "run", "shard")
    bits = content.with_columns(
        pl.Series(key, content[key].to_numpy().view(np.int64))
        for key, kind in content.schema.items()
        if kind == pl.Float64
    )
    # Only texts are quoted, so that an empty text differs from NULL.
    text = bits.sort(*LABELS[name], *bits.columns).write_csv(quote_style="non_numeric")
    return hashlib.sha256(text.encode()).hexdigest()


def paired(run_a: int, run_b: int) -> pl.DataFrame:
    """Join two runs' associations by item: template, group, attribute, score_a, score_b, in_a, in_b.

    Items of only one run are included, and `in_a` and `in_b` say which run has them. A score is also null if its item
    is not scorable.
    """
    a, b = (
        read(run).select(*_CELL, pl.col("score").alias(f"score_{side}"), pl.lit(value=True).alias(f"in_{side}"))
        for run, side in ((run_a, "a"), (run_b, "b"))
    )
    joined = a.join(b, on=list(_CELL), how="full", coalesce=True).sort(*_CELL)
    return joined.select(*_CELL, "score_a", "score_b", pl.col("in_a", "in_b").fill_null(value=False))


def _pages(run: int, query: Select[tuple[Any, ...]], records: Table, rows: int) -> list[tuple[int, int]]:
    """Return the first and last ids of ranges that hold at most `rows` of the selected records each."""
    place = func.row_number().over(order_by=records.c.id).label("place")
    numbered = query.with_only_columns(records.c.id, place).subquery()
    ends = statements.rows(select(numbered.c.id).where(numbered.c.place % rows == 0).order_by(numbered.c.id))
    bounds = [first_id(run, 0) - 1, *(end for (end,) in ends), id_range(run, SHARDS - 1)[1]]
    return [(before + 1, end) for before, end in itertools.pairwise(bounds)]


def _record_query(run: int, name: str, where: dict[str, Any]) -> Select[tuple[Any, ...]]:
    """Return the query of the records as stored, with ids of terms as labels."""
    records = RECORD_TABLES[name]
    shard = records.c.id.op(">>")(literal(ROW_BITS, Integer)).op("&")(SHARDS - 1)
    # The planner needs the ids themselves: with a subquery it reads millions of rows to find a few.
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
    """Return the condition of these shards as ranges of ids, which have an index."""
    return or_(false(), *(ids.between(*id_range(run, shard)) for shard in listed(wanted)))


def _labelled(raw: pl.DataFrame, columns: Columns, names: tuple[str, ...]) -> pl.DataFrame:
    """Return the records in the view's columns with labels, in order of id."""
    if raw.is_empty():
        return pl.DataFrame(schema=columns)
    found = texts_of(int(number) for key in names for number in raw[key].drop_nulls().unique())
    labels = pl.DataFrame(list(found.items()), schema={"id": pl.Int32, "label": pl.String}, orient="row")
    shard = (pl.col("id") // ROWS % SHARDS).cast(pl.Int32).alias("shard")
    named = (pl.col(key).replace_strict(labels["id"], labels["label"], return_dtype=pl.String) for key in names)
    return raw.with_columns(shard, *named).select(*columns).sort("id")
