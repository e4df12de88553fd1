"""The records of a pack, as summaries read those of a run: the second source beside the database."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from plumbline.results.columns import LABELS, VIEWS
from plumbline.spec.errors import InputError, shown

ROWS_PER_BYTE, EXPANSION = 4, 200
"""The most rows, and the most bytes of unpacked pages, for each byte of a file. More would fill the memory."""


class PackedRecords:
    """Reads tables by name, as `Read` says. A table is loaded once and kept."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files, self._tables = files, dict[str, pl.DataFrame]()

    def __call__(self, table: str, *, group_by: Sequence[str] = (), **where: Any) -> pl.DataFrame:
        frame = self._table(table)
        for column, wanted in where.items():
            values = list(wanted) if isinstance(wanted, list | tuple | set | frozenset) else [wanted]
            frame = frame.filter(pl.col(column).is_in(pl.Series(values, dtype=frame.schema[column])))
        return _summed(frame, table, group_by) if group_by else frame

    def _table(self, table: str) -> pl.DataFrame:
        if table not in VIEWS:
            raise InputError(f"there is no table {table!r}.")
        if table not in self._tables:
            path = self._files.get(table)
            self._tables[table] = pl.DataFrame(schema=VIEWS[table]) if path is None else load(path, table)
        return self._tables[table]


def load(path: Path, name: str) -> pl.DataFrame:
    """Return the rows of a Parquet file of a pack. Raises InputError for another file, or one that claims too many."""
    try:
        _check_size(path, name)
        _check_columns(path, name)
        return pl.read_parquet(path)
    except (pa.ArrowException, pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{name}.parquet is no Parquet file: {error}") from None


def _check_columns(path: Path, name: str) -> None:
    """Refuse other columns before a page is unpacked: a forged file may have thousands."""
    found = pl.read_parquet_schema(path)
    if dict(found) != {key: kind for key, kind in VIEWS[name].items() if name != "measure" or key != "run"}:
        raise InputError(f"{name}.parquet has other columns than {name} has: {shown(', '.join(found))}.")


def _check_size(path: Path, name: str) -> None:
    with pq.ParquetFile(path) as file:
        of, size = file.metadata, path.stat().st_size
    unpacked = sum(of.row_group(place).total_byte_size for place in range(of.num_row_groups))
    if of.num_rows > ROWS_PER_BYTE * size or unpacked > EXPANSION * size:
        raise InputError(f"{name}.parquet claims {of.num_rows:,} rows, more than its {size:,} bytes can hold.")


def _summed(frame: pl.DataFrame, name: str, group_by: Sequence[str]) -> pl.DataFrame:
    """Return the sums of the numeric columns and `n` by labels, sorted by them, as `results.summing` does in SQL."""
    labels = {"id", "run", "shard", *LABELS[name]}
    numbers = [key for key, kind in frame.schema.items() if key not in labels and kind.is_numeric()]
    whole = [
        pl.col(key).cast(pl.Int64).sum() if frame.schema[key].is_integer() else pl.col(key).sum() for key in numbers
    ]
    return frame.group_by(group_by).agg(*whole, pl.len().cast(pl.Int64).alias("n")).sort(*group_by)
