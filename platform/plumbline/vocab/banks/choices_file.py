"""Files of multiple-choice questions: CSV, or JSON with one object per line.

Columns: context, question, option1 to option9, correct; and if known, id, name (the person) and prompt. In JSON a list
`options` may stand for the options.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plumbline.spec.clean_text import fault_in, tidy
from plumbline.spec.errors import InputError
from plumbline.spec.json_text import load_json
from plumbline.vocab import csv_file
from plumbline.vocab.banks.text_file import text_of
from plumbline.vocab.faults import Fault, FaultyFileError
from plumbline.vocab.faults import named as faults_named
from plumbline.vocab.sheet import Row, Sheet, check_filled

OPTIONS = tuple(f"option{number}" for number in range(1, 10))
NEEDED = ("context", "question", "correct")
COLUMNS = ("id", "context", "question", "name", "prompt", *OPTIONS, "correct")


@dataclass(frozen=True, slots=True)
class Choice:
    """A multiple-choice question as the file has it. `name` and `prompt` are empty where the file has none."""

    line: int
    id: str
    context: str
    question: str
    name: str
    prompt: str
    options: tuple[str, ...]
    right: int
    """The place of the right option, counted from 0."""


def read(path: Path) -> tuple[list[Choice], list[str]]:
    """Return the questions of a file, and notices. Raises InputError, or FaultyFileError with each faulty line."""
    is_json = path.name.removesuffix(".gz").endswith(".jsonl")
    text, notices = (text_of(path), []) if is_json else csv_file.read_text(path)
    with faults_named(path.name):
        sheet = _json_lines(text) if is_json else csv_file.read(text, "context", COLUMNS)
        return _choices(sheet), notices


def _json_lines(text: str) -> Sheet:
    sheet = Sheet()
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                sheet.add(Row(number, _cells(load_json(line))))
            except InputError as error:
                sheet.blame(Fault(number, str(error)))
    check_filled(sheet)
    return sheet


def _cells(entry: Any) -> dict[str, str]:
    if not isinstance(entry, dict):
        raise InputError("it is no object; write {...} with the columns as keys")
    options = entry.pop("options", [])
    if not isinstance(options, list) or len(options) > len(OPTIONS):
        raise InputError(f"'options' is no list of at most {len(OPTIONS)} texts")
    found = {**entry, **dict(zip(OPTIONS, options, strict=False))}
    if foreign := [key for key in found if key not in COLUMNS]:
        raise InputError(f"unknown key {foreign[0][:40]!r}; the keys are {', '.join(COLUMNS)}, options")
    if odd := [key for key, value in found.items() if not isinstance(value, str | int) or isinstance(value, bool)]:
        raise InputError(f"{odd[0]} is no text")
    return {key: str(value) for key, value in found.items()}


def _choices(sheet: Sheet) -> list[Choice]:
    faults, found, seen = list(sheet.faults), [], dict[str, int]()
    for row in sheet.rows:
        try:
            choice = _choice(row)
            if (first := seen.setdefault(choice.id, row.line)) != row.line:
                raise InputError(f"the id {choice.id!r} appears on line {first} already; keep one")
            found.append(choice)
        except InputError as error:
            faults.append(row.fault(str(error)))
    if faults:
        raise FaultyFileError(sorted(faults, key=lambda one: one.line))
    return found


def _choice(row: Row) -> Choice:
    cells = {column: _text(column, row.cells.get(column, "")) for column in COLUMNS}
    if missing := [column for column in NEEDED if not cells[column]]:
        raise InputError(f"{missing[0]} is empty")
    options = tuple(cells[column] for column in OPTIONS if cells[column])
    if len(options) < 2:
        raise InputError(f"it has {len(options)} of at least two options (option1, option2, ...)")
    return Choice(
        line=row.line,
        id=cells["id"] or str(row.line),
        context=cells["context"],
        question=cells["question"],
        name=cells["name"],
        prompt=cells["prompt"],
        options=options,
        right=_place(cells["correct"], options),
    )


def _text(column: str, cell: str) -> str:
    text = tidy(" ".join(cell.split()))
    if text and (fault := fault_in(text)):
        raise InputError(f"{column} {fault}")
    if any(brace in text.replace("{name}", "") for brace in "{}"):
        raise InputError(f"{column} holds a brace that is not {{name}}; take it out")
    return text


def _place(correct: str, options: tuple[str, ...]) -> int:
    """Return the place that a text, a number from 1 or a letter from A names. Raises InputError."""
    if (same := _places(correct, options)) and len(same) == 1:
        return same[0]
    known: Mapping[str, int] = {
        key: place for place in range(len(options)) for key in (str(place + 1), "ABCDEFGHI"[place])
    }
    if not same and correct.upper() in known:
        return known[correct.upper()]
    raise InputError(f"correct: {correct!r} names no single option; write its number, its letter or its text")


def _places(text: str, options: Iterable[str]) -> list[int]:
    return [place for place, option in enumerate(options) if option == text]
