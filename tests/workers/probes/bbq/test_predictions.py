"""Files of predictions as stored answers."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from plumbline.methods.bbq.spec import StoredAnswer
from plumbline.spec.errors import InputError
from workers.probes.bbq.predictions import read
from workers.probes.predictions import prediction_files

KNOWN = {"Age 0", "Age 1", "Age 2"}


def lines(path: Path, *rows: Any) -> Path:
    text = "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def row(number: int = 0, **fields: Any) -> dict[str, Any]:
    return {"category": "Age", "example_id": number, "pred": "the old man", **fields}


def answers(path: Path, field: str = "pred") -> list[StoredAnswer]:
    return read(prediction_files(path), field, KNOWN)


def test_result_files_are_joined_on_category_and_example(tmp_path: Path) -> None:
    lines(tmp_path / "b.jsonl.gz", row(1), row(2, pred=" Can't answer"))
    lines(tmp_path / "a.jsonl", row(0))
    (tmp_path / "notes.txt").write_text("no predictions")
    found = answers(tmp_path)
    assert [(one.id, one.output) for one in found] == [
        ("Age 0", "the old man"),
        ("Age 1", "the old man"),
        ("Age 2", "Can't answer"),
    ]


def test_lines_may_hold_places_and_logits_too(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.jsonl", row(0, pred=2), {"item": "Age 1", "pred": [0.5, -1, 2]}, row(2, pred=""))
    places, logits, silent = answers(path)
    assert places.chosen == 2
    assert logits.logits == (0.5, -1.0, 2.0)
    assert silent.output == ""


def test_a_table_holds_places_or_texts(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("item,chosen\nAge 0,1\nAge 1,The old man\n")
    first, second = answers(path, "chosen")
    assert (first.chosen, first.output) == (1, None)
    assert (second.chosen, second.output) == (None, "The old man")


def test_a_table_may_hold_logits(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("item,logit_0,logit_1,logit_2\nAge 0,-1,0.25,3e-1\n")
    assert answers(path, "chosen")[0].logits == (-1.0, 0.25, 0.3)


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([row(0), row(9)], r"a\.jsonl, line 2: 'Age 9' is no question of the bank"),
        ([row(0), row(0)], r"a\.jsonl, line 2: 'Age 0' is answered twice"),
        (
            [{"category": "Age", "example_id": 0, "other": "x"}],
            r"line 1: it has no field 'pred'; its fields are .*other",
        ),
        ([row(0, pred=3)], r"line 1: pred is 3; write the place of an option, 0, 1 or 2"),
        ([row(0, pred=-1)], r"line 1: pred is -1"),
        ([row(0, pred=True)], r"line 1: pred is True"),
        ([row(0, pred=1.5)], r"line 1: pred is 1\.5"),
        ([row(0, pred=None)], r"line 1: pred is None"),
        ([row(0, pred=[1, 2])], r"line 1: .*logits"),
        ([row(0, pred=[1, 2, "x"])], r"line 1: pred is 'x', which is no number"),
        ([{"pred": "x"}], r"line 1: it names no question"),
        ([row(0), "{"], r"line 2: it is no JSON: "),
        (["[1]"], r"line 1: it is no JSON object"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, rows: list[Any], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        answers(lines(tmp_path / "a.jsonl", *rows))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("item,chosen\nAge 0,7\n", r"a\.csv, line 2: chosen is '7'"),
        ("item,chosen\nAge 0,-1\n", r"line 2: chosen is '-1'"),
        ("item,chosen\nAge 0,1\nAge 1\n", r"line 3: it has more or fewer cells"),
        ("item,chosen\nAge 0,1,2\n", r"line 2: it has more or fewer cells"),
        ("item,said\nAge 0,1\n", r"line 2: it has no field 'chosen'"),
        ("item,logit_0,logit_1,logit_2\nAge 0,1,2,nan\n", r"line 2: logit_2 is 'nan'"),
        ("item,logit_0,logit_1,logit_2\nAge 0,1,2,\n", r"line 2: logit_2 is ''"),
        ('item,chosen\n"Age 0,1\n', r"check the quotes"),
    ],
)
def test_a_faulty_row_of_a_table_is_named(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=fault):
        answers(path, "chosen")


def test_a_folder_without_predictions_and_a_missing_file_are_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no"):
        prediction_files(tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        prediction_files(tmp_path / "no.jsonl")
