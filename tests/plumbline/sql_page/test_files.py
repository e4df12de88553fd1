"""Answers as files, read back."""

import csv
import io
import json

import pytest

from plumbline.sql_page import files
from plumbline.sql_page.asking import Column, Kind, Row

COLUMNS = [
    Column("n", "int4", Kind.NUMBER),
    Column("=name", "text", Kind.TEXT),
    Column("ok", "bool", Kind.TRUTH),
    Column("content", "jsonb", Kind.JSON),
]
ROWS: list[Row] = [
    ("-1", "=1+1", "t", '{"a": [1]}'),
    ("0.25", 'say "hi"; \n- שלום', "f", None),
    ("NaN", "", None, "null"),
    (None, None, None, None),
]


def written(kind: str) -> str:
    file = io.BytesIO()
    assert files.write(kind, file, COLUMNS, iter(ROWS)) is False
    return file.getvalue().decode()


def test_csv_is_no_formula_and_numbers_stay_numbers() -> None:
    head, *rows = csv.reader(io.StringIO(written("csv"), newline=""))
    assert head == ["n", "'=name", "ok", "content"]
    assert rows[0] == ["-1", "'=1+1", "true", '{"a": [1]}']
    assert rows[1][1] == 'say "hi"; \n- שלום'


def test_json_has_values_of_their_own_kinds() -> None:
    found = json.loads(written("json"))
    assert found["columns"][0] == {"name": "n", "type": "int4"}
    assert found["rows"] == [
        [-1, "=1+1", True, {"a": [1]}],
        [0.25, 'say "hi"; \n- שלום', False, None],
        [None, "", None, None],
        [None, None, None, None],
    ]


@pytest.mark.parametrize(
    "digits", ["12345678901234567.891", "9" * 5_000, "1e+16", "-2.5e-07", "1" + "0" * 400 + ".5", "0.10"]
)
def test_json_has_the_servers_digits(digits: str) -> None:
    file = io.BytesIO()
    content = f'{{"a": {digits}}}'
    files.write("json", file, [COLUMNS[0], COLUMNS[3]], iter([(digits, content)]))
    found = json.loads(file.getvalue(), parse_float=str, parse_int=str)
    assert found["rows"] == [[digits, {"a": digits}]]


@pytest.mark.parametrize("infinite", ["NaN", "Infinity", "-Infinity"])
def test_json_has_null_where_it_has_no_number(infinite: str) -> None:
    file = io.BytesIO()
    files.write("json", file, COLUMNS[:1], iter([(infinite,)]))
    assert json.loads(file.getvalue())["rows"] == [[None]]


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_file_ends_at_its_limit_and_says_so(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "FILE_ROWS", 2)
    file = io.BytesIO()
    assert files.write(kind, file, COLUMNS, iter(ROWS)) is True
    assert b"NaN" not in file.getvalue()
