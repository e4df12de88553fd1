"""Import of predictions of BBQ: result files of UnifiedQA, or a table of items and choices, as stored answers."""

import csv
import io
import math
from argparse import ArgumentParser
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from plumbline.methods.bbq.spec import StoredAnswer
from plumbline.spec.banks.bbq_question import OPTIONS
from plumbline.spec.errors import InputError
from plumbline.spec.faults import in_one_line
from plumbline.spec.json_text import load_json
from plumbline.vocab.banks.text_file import text_of
from workers.probes.predictions import Options, PredictionImporter

LOGITS = tuple(f"logit_{place}" for place in range(OPTIONS))
CHOSEN = "chosen"
QUESTION_ONLY = "_qonly"
"""The ending of fields in UnifiedQA's result files that were answered without the context."""
PLACES = {str(place): place for place in range(OPTIONS)}
MOST_NAMED = 8
Row = tuple[str, Mapping[str, Any]]
"""The place of a row (file and line), and its content."""


def read(files: Sequence[Path], field: str, known: Collection[str]) -> list[StoredAnswer]:
    """Return the answers in `field` of all files to the questions `known`, in the order of the files.

    JSON lines name their item by category and example_id, or by item, and hold an output's text, a place or a list
    of three logits. Tables have the columns item and `field` (a place from 0 on, or a text), or item and logit_0 to
    logit_2. Raises InputError naming file and line of the first faulty row: an unknown item, a repeated one, no
    such field, a place that is none.
    """
    answers: dict[str, StoredAnswer] = {}
    for file in files:
        for place, row in _rows(file):
            answer = _answer(place, row, field)
            if answer.id not in known:
                raise InputError(f"{place}: {answer.id!r} is no question of the bank.")
            if answer.id in answers:
                raise InputError(f"{place}: {answer.id!r} is answered twice; keep one answer.")
            answers[answer.id] = answer
    return list(answers.values())


def _rows(path: Path) -> Iterator[Row]:
    text = text_of(path)
    return _table(path.name, text) if path.name.removesuffix(".gz").endswith(".csv") else _lines(path.name, text)


def _lines(name: str, text: str) -> Iterator[Row]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"{name}, line {number}", _object(f"{name}, line {number}", line)


def _object(place: str, line: str) -> Mapping[str, Any]:
    try:
        found = load_json(line)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"{place}: it is no JSON object.")
    return found


def _table(name: str, text: str) -> Iterator[Row]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if row.get(None) or None in row.values():
                raise InputError(f"{name}, line {reader.line_num}: it has more or fewer cells than the header.")
            yield f"{name}, line {reader.line_num}", row
    except csv.Error as error:
        raise InputError(f"{name}, line {reader.line_num}: {error}; check the quotes.") from None


def _answer(place: str, row: Mapping[str, Any], field: str) -> StoredAnswer:
    item, given = _item(place, row), _given(place, row, field)
    try:
        return StoredAnswer.model_validate({"id": item, **given})
    except ValidationError as error:
        raise InputError(f"{place}: {in_one_line(error)}") from None


def _item(place: str, row: Mapping[str, Any]) -> str:
    if item := row.get("item"):
        return str(item)
    if row.get("category") is None or row.get("example_id") is None:
        raise InputError(f"{place}: it names no question: give item, or category and example_id.")
    return f"{row['category']} {row['example_id']}"


def _given(place: str, row: Mapping[str, Any], field: str) -> dict[str, Any]:
    """Return the fields of a stored answer from the row."""
    if field not in row and all(name in row for name in LOGITS):
        return {"logits": tuple(_number(place, row[name], name) for name in LOGITS)}
    if field not in row:
        raise InputError(f"{place}: it has no field {field!r}; its fields are {', '.join([*row][-MOST_NAMED:])}.")
    value = row[field]
    if isinstance(value, list):
        return {"logits": tuple(_number(place, one, field) for one in value)}
    if isinstance(value, str) and not (value.strip().lstrip("-").isdecimal()):
        return {"output": value}
    return {"chosen": _place(place, value, field)}


def _number(place: str, value: Any, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{place}: {name} is {value!r}, which is no number.")
    return number


def _place(place: str, value: Any, field: str) -> int:
    if isinstance(value, bool) or str(value).strip() not in PLACES:
        raise InputError(f"{place}: {field} is {value!r}; write the place of an option, 0, 1 or 2, or its text.")
    return PLACES[str(value).strip()]


class BbqPredictions:
    """Stored answers of a model to the questions of a bank of BBQ."""

    bank_kind = default_bank = "bbq"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the name of the field that holds the answers."""
        parser.add_argument("--answers", metavar="FIELD", default=CHOSEN, help="the field or column that holds them")

    def model_name(self, path: Path, options: Options) -> str:
        """Return the field's name, which is the model's in files of UnifiedQA, or the file's."""
        field = str(options["answers"])
        return path.name.split(".")[0] if field == CHOSEN else field

    def part(self, options: Options) -> str:
        """Return nothing: the name of the model identifies its answers."""
        return ""

    def source(self, options: Options) -> str:
        """Return the field as the bank of answers names it."""
        return f"the field {options['answers']}"

    def read(
        self, files: Sequence[Path], options: Options, questions: Mapping[str, Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return the answers as `read` finds them, ready to store."""
        answers = read(files, options["answers"], questions)
        return [one.model_dump(mode="json", exclude_none=True) for one in answers]

    def spec_fields(self, options: Options) -> Mapping[str, Any]:
        """Return the probe, and that the context was hidden if the field says so."""
        hidden = str(options["answers"]).endswith(QUESTION_ONLY)
        return {"probe": "bbq", **({"params": {"question_only": True}} if hidden else {})}


IMPORTERS: Mapping[str, PredictionImporter] = {"bbq": BbqPredictions()}
