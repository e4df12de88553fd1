import csv
import json
import os
import resource
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

from plumbline.audits.models import Run
from plumbline.results.columns import VIEWS
from plumbline.results.exports import WRITERS, export
from plumbline.results.measure_writing import replace_measures
from plumbline.results.reading import read
from plumbline.spec.errors import InputError
from tests.patience import PATIENCE
from tests.plumbline.results.conftest import CELLS, Load

pytestmark = pytest.mark.django_db

FORMULAS = ["\t=1", " =1", "\u200b=1", "＝1", "=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", '=HYPERLINK("http://x")']


@pytest.fixture
def run() -> int:
    replace_measures(
        1, [{"statistic": "accuracy", "value": -0.5, "n": 4}, {"statistic": "s_amb", "n": 0, "reason": "-"}]
    )
    Run.objects.create(pk=1, name="=a run", probe="ilps", model="path:x", spec={}, planned_items=5)
    return 1


def load_file(path: Path) -> pl.DataFrame:
    readers: dict[str, Callable[[Path], pl.DataFrame]] = {
        ".csv": pl.read_csv,
        ".jsonl": pl.read_ndjson,
        ".parquet": pl.read_parquet,
    }
    return readers[path.suffix](path)


@pytest.mark.parametrize("table", VIEWS)
@pytest.mark.parametrize("format_", WRITERS)
def test_every_table_goes_into_every_format(tmp_path: Path, load: Load, run: int, table: str, format_: str) -> None:
    load(run, CELLS)
    path = tmp_path / f"{table}.{format_}"
    rows = read(run, table).height
    assert export(run, table, format_, path) == rows
    if rows or format_ != "jsonl":
        written = load_file(path)
        assert (written.columns, written.height) == (list(VIEWS[table]), rows)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_parquet_is_the_table_itself(tmp_path: Path, load: Load) -> None:
    load(1, [*CELLS, ("t", "=1+1", "x", 0.1, None)])
    export(1, "association", "parquet", tmp_path / "a.parquet")
    assert pl.read_parquet(tmp_path / "a.parquet").equals(read(1))


def test_jsonl_is_literal_with_null_for_what_is_not_there(tmp_path: Path, load: Load) -> None:
    load(1, [*CELLS, ("t", "=1+1", "x", 0.1, None)])
    export(1, "association", "jsonl", tmp_path / "a.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert rows == read(1).to_dicts()


def test_csv_disarms_formulas_in_texts_and_leaves_numbers(tmp_path: Path, load: Load) -> None:
    load(1, [("t", group, "x", -0.5, None) for group in FORMULAS])
    export(1, "association", "csv", tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["group"] for row in rows] == [f"'{formula}" for formula in FORMULAS]
    assert {row["score"] for row in rows} == {"-0.5"}


def test_csv_leaves_null_empty_and_keeps_other_alphabets(tmp_path: Path, load: Load) -> None:
    load(1, [("t", 'نساء, "quoted"', "x", None, "no\nspelling")])
    export(1, "association", "csv", tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["group"], row["score"], row["reason"]) == ('نساء, "quoted"', "", "no\nspelling")


@pytest.mark.parametrize("format_", WRITERS)
def test_a_run_without_rows_gives_a_file_with_its_columns(tmp_path: Path, format_: str) -> None:
    assert export(99, "measure", format_, tmp_path / "empty") == 0
    assert (tmp_path / "empty").exists()


def test_many_frames_make_one_file(tmp_path: Path, load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    load(1, CELLS)
    monkeypatch.setattr("plumbline.results.exports.frames", lambda run, table: small_frames(run, table))
    for format_ in WRITERS:
        assert export(1, "association", format_, tmp_path / f"a.{format_}") == len(CELLS)
        assert load_file(tmp_path / f"a.{format_}")["id"].to_list() == read(1)["id"].to_list()


def small_frames(run: int, table: str) -> Iterator[pl.DataFrame]:
    from plumbline.results.reading import frames

    return frames(run, table, rows=2)


def test_unknown_tables_and_formats_are_answered_with_those_that_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=", ".join(VIEWS)):
        export(1, "no table", "csv", tmp_path / "a")
    with pytest.raises(InputError, match="csv, jsonl, parquet"):
        export(1, "measure", "xlsx", tmp_path / "a")


@contextmanager
def disk_of(size: int) -> Iterator[None]:
    """A limit on the size of files, which the kernel enforces as it does a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("format_", WRITERS)
def test_a_full_disk_is_one_line_and_leaves_no_file(tmp_path: Path, load: Load, format_: str) -> None:
    load(1, [("t", "g", f"a long attribute to fill the disk with {number}", 0.5, None) for number in range(500)])
    (tmp_path / "a").write_text("from before")
    with disk_of(1000), pytest.raises(InputError, match="cannot be written") as caught:
        export(1, "association", format_, tmp_path / "a")
    assert "\n" not in str(caught.value)
    assert [(entry.name, entry.read_text()) for entry in tmp_path.iterdir()] == [("a", "from before")]


@pytest.mark.parametrize("place", ["no/such/folder/a.csv", "folder"])
def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path, place: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        export(1, "measure", "csv", tmp_path / place)
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


@pytest.mark.django_db
def test_a_pipe_is_written_into_and_stays_a_pipe(load: Load, tmp_path: Path) -> None:
    load(1, CELLS)
    pipe, regular = tmp_path / "pipe", tmp_path / "regular.csv"
    export(1, "association", "csv", regular)
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        received = reader.submit(pipe.read_bytes)
        export(1, "association", "csv", pipe)
        assert received.result(timeout=PATIENCE) == regular.read_bytes()
    assert pipe.is_fifo()


@pytest.mark.django_db
def test_a_link_keeps_leading_to_its_file(load: Load, tmp_path: Path) -> None:
    load(1, CELLS)
    target, link = tmp_path / "real.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    rows = export(1, "association", "csv", link)
    assert link.is_symlink()
    assert len(target.read_text().splitlines()) == rows + 1
