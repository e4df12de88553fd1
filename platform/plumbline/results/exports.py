"""Exports of a run's table as csv, jsonl or parquet, written in parts."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import polars as pl
import pyarrow.parquet as pq

from plumbline.results.reading import columns_of, frames
from plumbline.spec.errors import InputError
from plumbline.vocab.cells import FORMULA

# Texts that begin so are formulas to a spreadsheet, which may skip white space and invisible characters.
_FORMULA = rf"^([\t\r]|[\s\x00-\x1f\x{{200b}}\x{{2060}}\x{{feff}}]*[{FORMULA}])"


Writer = Callable[[BinaryIO, Iterator[pl.DataFrame]], int]


def export(run: int, table: str, format: str, path: Path) -> int:  # noqa: A002 - the option's name
    """Write a run's table (association, measure or run) to a file. Returns the number of rows.

    The file is written under another name and renamed, so it is complete or absent. NULL is an empty cell in csv and
    null in the others. In csv a text that a spreadsheet would read as a formula gets a leading apostrophe. Numbers,
    jsonl and parquet stay literal. JSON has no infinity, so jsonl writes null.

    Raises InputError for an unknown table or format, a full disk or a path that cannot be written.
    """
    columns_of(table)
    if format not in WRITERS:
        raise InputError(f"there is no format {format!r}; choose from {', '.join(WRITERS)}.")
    try:
        return _replaced(path.resolve(), WRITERS[format], frames(run, table))
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}. Choose another --out.") from None


def _replaced(path: Path, write: Writer, parts: Iterator[pl.DataFrame]) -> int:
    """Write to a temporary file and rename it. Devices and pipes are written directly."""
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
        # A file opened by Python, since polars hides that a disk is full.
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
