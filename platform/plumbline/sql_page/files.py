"""Answers as files. CSV is safe to open in a spreadsheet. JSON is literal."""

import csv
import io
import itertools
import json
from collections.abc import Callable, Iterator
from typing import IO

from plumbline.sql_page.asking import FILE_ROWS, Column, Kind, Row
from plumbline.vocab.cells import escape

Writer = Callable[[IO[bytes], list[Column], Iterator[Row]], None]


def write(kind: str, file: IO[bytes], columns: list[Column], found: Iterator[Row]) -> bool:
    """Write at most FILE_ROWS rows. Returns whether there were more."""
    WRITERS[kind](file, columns, itertools.islice(found, FILE_ROWS))
    return next(found, None) is not None


def _write_csv(file: IO[bytes], columns: list[Column], found: Iterator[Row]) -> None:
    text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
    writer = csv.writer(text)
    writer.writerow([escape(column.name) for column in columns])
    writer.writerows([_cell(value, column) for value, column in zip(row, columns, strict=True)] for row in found)
    text.detach()


def _cell(value: str | None, column: Column) -> str:
    if value is None:
        return ""
    match column.kind:
        case Kind.NUMBER:
            return value
        case Kind.TRUTH:
            return _truth(value)
    return escape(value)


def _truth(value: str) -> str:
    return "true" if value == "t" else "false"


def _write_json(file: IO[bytes], columns: list[Column], found: Iterator[Row]) -> None:
    head = [{"name": column.name, "type": column.type} for column in columns]
    file.write(b'{"columns": ' + json.dumps(head, ensure_ascii=False).encode() + b', "rows": [')
    for number, row in enumerate(found):
        values = ", ".join(_literal(value, column) for value, column in zip(row, columns, strict=True))
        file.write(f"{',' if number else ''}\n[{values}]".encode())
    file.write(b"\n]}\n")


def _literal(value: str | None, column: Column) -> str:
    """Return a value as JSON. Numbers keep the server's digits, which floats would round.

    NaN and infinity become null.
    """
    if value is None:
        return "null"
    match column.kind:
        case Kind.NUMBER:
            return value if value.lstrip("-")[0].isdigit() else "null"
        case Kind.TRUTH:
            return _truth(value)
        case Kind.JSON:
            return value
    return json.dumps(value, ensure_ascii=False)


WRITERS: dict[str, Writer] = {"csv": _write_csv, "json": _write_json}
