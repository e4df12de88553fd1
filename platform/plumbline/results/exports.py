"""Exports: a run's table as csv, jsonl or parquet, streamed."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import polars as pl
import pyarrow.parquet as pq

from plumbline.results.reading import columns_of, frames
from plumbline.spec.errors import InputError

# What a spreadsheet takes for a formula when a text begins with it.
_FORMULA = r"^([=+\-@\t\r])"


Writer = Callable[[BinaryIO, Iterator[pl.DataFrame]], int]


def export(run: int, table: str, format: str, path: Path) -> int:  # noqa: A002 - the option's name
    """Write a run's table (association, measure or run) to a file; the number of rows.

    Written beside and renamed: the file is there whole or not at all. NULL is an empty cell in csv, null in the others.
    In csv a text that a spreadsheet would take for a formula gets a leading apostrophe; numbers, jsonl and parquet are
    literal. (JSON knows no infinity: jsonl writes null.) Raises InputError for an unknown table or format, a full disk
    or a place that cannot be written.
    """
    columns_of(table)
    if format not in WRITERS:
        raise InputError(f"no format is called {format!r}; there are: {', '.join(WRITERS)}.")
    try:
        return _replaced(path.resolve(), WRITERS[format], frames(run, table))
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}. Choose another --out.") from None


def _replaced(path: Path, write: Writer, parts: Iterator[pl.DataFrame]) -> int:
    """Write beside and rename; what is no regular file (a device, a pipe) is written into instead."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            return write(file, parts)
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with draft.open("xb") as file:
            rows = write(file, parts)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return rows


def _write_csv(file: BinaryIO, parts: Iterator[pl.DataFrame]) -> int:
    rows = 0
    for number, frame in enumerate(parts):
        # Through Python's own file: polars hides that a disk is full.
        file.write(_without_formulas(frame).write_csv(include_header=number == 0).encode())
        rows += frame.height
    return rows


def _without_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col(pl.String).str.replace(_FORMULA, "'${1}"))


def _write_jsonl(file: BinaryIO, parts: Iterator[pl.DataFrame]) -> int:
    rows = 0
    for frame in parts:
        file.write(frame.write_ndjson().encode())
        rows += frame.height
    return rows


def _write_parquet(file: BinaryIO, parts: Iterator[pl.DataFrame]) -> int:
    first = next(parts)
    arrow = first.to_arrow(compat_level=pl.CompatLevel.oldest())
    rows = first.height
    with pq.ParquetWriter(file, arrow.schema) as writer:
        writer.write_table(arrow)
        for frame in parts:
            writer.write_table(frame.to_arrow(compat_level=pl.CompatLevel.oldest()))
            rows += frame.height
    return rows


WRITERS: dict[str, Writer] = {
    "csv": _write_csv,
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
}
