"""Fast loading: writes whole columns into a table by one binary COPY.

NumPy lays out blocks of rows in PostgreSQL's binary format. A row is the number of columns (2 bytes) and then, for each
column, the length (4 bytes, -1 for NULL) and the big-endian value. Floats are copied bit by bit and come back exactly.

Every row is first written at its full width. A mask then removes the unused bytes of NULLs and shorter texts.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from psycopg import sql
from sqlalchemy import BigInteger, Boolean, Column, Double, Integer, SmallInteger, Table, Text, UniqueConstraint

Values = NDArray[Any] | Sequence[Any]
Mask = NDArray[np.bool_]

ROWS_PER_BLOCK = 20_000
_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_TRAILER = b"\xff\xff"
# The order matters: BigInteger and SmallInteger are subclasses of Integer.
_FORMATS: list[tuple[type, str]] = [
    (BigInteger, ">i8"),
    (SmallInteger, ">i2"),
    (Integer, ">i4"),
    (Double, ">f8"),
    (Boolean, "?"),
]


def copy_in(table: Table, columns: Mapping[str, Values]) -> int:
    """Load columns of equal length into a table, in the caller's transaction. Returns the number of rows.

    NULL is None in a list, a masked value in a masked array and NaN in a column of floats. Omitted columns get their
    default. Raises ValueError for an unknown column, unequal lengths or an integer that does not fit.
    """
    if unknown := set(columns) - set(table.c.keys()):
        raise ValueError(f"{table.name} has no column {sorted(unknown)[0]!r}")
    rows = {len(values) for values in columns.values()}
    if len(rows) != 1:
        raise ValueError(f"columns of unequal length: {sorted(rows)}")
    statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(
        sql.Identifier(str(table.schema), table.name), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with connection.cursor() as cursor:
        # COPY bypasses Django's cursor, which translates psycopg's errors into Django's.
        with connection.wrap_database_errors, cursor.copy(statement) as copy:
            for part in _binary(table, columns, rows.pop()):
                copy.write(part)
        return int(cursor.rowcount)


def _binary(table: Table, columns: Mapping[str, Values], rows: int) -> Iterator[bytes]:
    yield _HEADER
    arrays = {name: _array(table.c[name], values) for name, values in columns.items()}
    order = _index_order(table, arrays, rows)
    for start in range(0, rows, ROWS_PER_BLOCK):
        block = order[start : start + ROWS_PER_BLOCK]
        yield _rows([(values[block], null[block]) for values, null in arrays.values()])
    yield _TRAILER


def _index_order(table: Table, arrays: Mapping[str, tuple[NDArray[Any], Mask]], rows: int) -> NDArray[np.intp]:
    """Return the rows in the order of the table's unique key.

    Its index then grows at one end, which saves a quarter.
    """
    for constraint in table.constraints:
        keys = [column.name for column in constraint.columns] if isinstance(constraint, UniqueConstraint) else []
        # An omitted column has its default in every row.
        if known := [key for key in keys if key in arrays]:
            return np.lexsort([arrays[key][0] for key in reversed(known)])
    return np.arange(rows)


def _array(column: Column[Any], values: Values) -> tuple[NDArray[Any], Mask]:
    """Return the values in the column's binary type and a mask of NULLs. Values under the mask are arbitrary."""
    null, filled = _without_nulls(values)
    if isinstance(column.type, Text):
        return np.array([str(value).encode() for value in filled], dtype=object), null
    kind = next(kind for type_, kind in _FORMATS if isinstance(column.type, type_))
    exact = np.where(null, 0, filled).astype(kind) if null.any() else np.asarray(filled).astype(kind)
    if kind == ">f8":
        return exact, null | np.isnan(exact)
    if not np.array_equal(exact[~null], np.asarray(filled)[~null]):
        raise ValueError(f"column {column.name!r}: a value does not fit {column.type!r}")
    return exact, null


def _without_nulls(values: Values) -> tuple[Mask, Any]:
    """Return a mask of NULLs and the values with 0 for each None."""
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.getmaskarray(values), values.filled(0)
    if isinstance(values, np.ndarray) and values.dtype != object:
        return np.zeros(len(values), dtype=bool), values
    null = np.fromiter((value is None for value in values), dtype=bool, count=len(values))
    filled = [0 if value is None else value for value in values] if null.any() else values
    return null, filled


def _rows(columns: Sequence[tuple[NDArray[Any], Mask]]) -> bytes:
    """Return a block of rows in PostgreSQL's binary format."""
    cells = [_padded(values) for values, _ in columns]
    lengths = [np.where(null, -1, sizes) for (_, sizes), (_, null) in zip(cells, columns, strict=True)]
    layout: list[tuple[str, str]] = [("columns", ">i2")]
    for number, (values, _) in enumerate(cells):
        layout += [(f"length {number}", ">i4"), (f"value {number}", values.dtype.str)]
    rows = np.empty(len(lengths[0]), np.dtype(layout))
    rows["columns"] = len(columns)
    for number, ((values, _), length) in enumerate(zip(cells, lengths, strict=True)):
        rows[f"length {number}"], rows[f"value {number}"] = length, values
    return _without_padding(rows, lengths)


def _padded(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return a column at one width and the size of each value in bytes.

    Texts are padded to the longest of the block.
    """
    if values.dtype != object:
        return values, np.full(len(values), values.dtype.itemsize)
    sizes = np.fromiter(map(len, values), dtype=np.int64, count=len(values))
    return values.astype(f"S{max(1, int(sizes.max()))}"), sizes


def _without_padding(rows: NDArray[Any], lengths: Sequence[NDArray[Any]]) -> bytes:
    """Return the bytes of the rows without the padding of NULLs and shorter texts."""
    content = rows.view(np.uint8).reshape(len(rows), rows.dtype.itemsize)
    kept = np.ones(content.shape, dtype=bool)
    for number, length in enumerate(lengths):
        kind, start = rows.dtype.fields[f"value {number}"][:2]  # type: ignore[index]
        if (length < kind.itemsize).any():
            kept[:, start : start + kind.itemsize] = np.arange(kind.itemsize) < length[:, None]
    return content.tobytes() if kept.all() else content[kept].tobytes()
