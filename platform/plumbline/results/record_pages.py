"""Pages of a run's records of any table in order of id, by ranges of ids instead of offsets."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Table, select

from plumbline.results import statements
from plumbline.results.columns import LABELS, VIEWS
from plumbline.results.ids import ROW_BITS, SHARDS, id_range
from plumbline.results.tables import RECORD_TABLES, record_table
from plumbline.results.terms import known_ids, texts_of
from plumbline.spec.errors import InputError


def record_page(
    run: int, name: str, where: Mapping[str, Any], most: int, *, after: int | None = None
) -> list[dict[str, Any]]:
    """Return at most `most` records after an id, with the columns of the table's view, labels in place of ids.

    `where` gives columns with the value that they must have. Raises InputError for an unknown table or column.
    """
    records = record_table(name)
    _check(name, where)
    ids = records.c.id.between(*_ids_after(run, after))
    found = select(records).where(records.c.run == run, ids, *_conditions(records, name, where))
    # Behind a filter the order is a sum that no index serves: see items.py.
    rows = statements.rows(found.order_by(records.c.id + 0 if where else records.c.id).limit(most))
    return _labelled(name, [dict(zip(records.c.keys(), row, strict=True)) for row in rows])


def _check(name: str, where: Mapping[str, Any]) -> None:
    known = [key for key in VIEWS[name] if key in RECORD_TABLES[name].c and key not in ("id", "run")]
    for key in where:
        if key not in known:
            raise InputError(f"records of the table {name!r} have no {key!r}; choose from {', '.join(known)}.")


def _ids_after(run: int, after: int | None) -> tuple[int, int]:
    """Return the first and the last possible id after one. Small runs share a partition, so the run bounds them."""
    first, last = id_range(run, 0)[0], id_range(run, SHARDS - 1)[1]
    return (first, last) if after is None else (max(first, after + 1), last)


def _conditions(records: Table, name: str, where: Mapping[str, Any]) -> list[ColumnElement[bool]]:
    """Return the conditions. A label that no record has has no id, and nothing equals that."""
    labels = known_ids(str(value) for key, value in where.items() if key in LABELS[name])
    return [records.c[key] == (labels.get(value, -1) if key in LABELS[name] else value) for key, value in where.items()]


def _labelled(name: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    texts: dict[int | None, str] = dict(texts_of({row[key] for row in rows for key in LABELS[name]} - {None}).items())
    empty = {"template": ""} if name == "choice" else {}
    return [{column: _value(column, row, name, texts, empty) for column in VIEWS[name]} for row in rows]


def _value(column: str, row: dict[str, Any], name: str, texts: Mapping[int | None, str], empty: dict[str, str]) -> Any:
    if column == "shard":
        return row["id"] >> ROW_BITS & (SHARDS - 1)
    return texts.get(row[column], empty.get(column)) if column in LABELS[name] else row[column]
