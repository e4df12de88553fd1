"""Texts with a binary label from a CSV file of the user's, and their split by text."""

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from plumbline.spec.errors import InputError
from workers.training.questions import is_one_in

COLUMNS = ("text", "label")
FORM = "a CSV file in UTF-8 with the columns text and label, where a label is 0 (negative) or 1 (positive)"


@dataclass(frozen=True)
class Labelled:
    text: str
    positive: bool


def read_labelled(path: Path) -> list[Labelled]:
    """Read the texts. Raises InputError, naming the line, for an invalid file, and for a file of one label only."""
    found = [_labelled(path, line, row) for line, row in _rows(path)]
    if len({one.positive for one in found}) < 2:
        raise InputError(f"{path} holds texts of {'one label' if found else 'no label'}: name {FORM}, with both labels")
    return found


def read_rows(path: Path, columns: Sequence[str], form: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV file with their last lines. Raises InputError without these columns."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path} ({error}): name {form}") from error
    reader = csv.DictReader(io.StringIO(text, newline=""))
    if missing := [name for name in columns if name not in (reader.fieldnames or ())]:
        raise InputError(f"{path} has no column {missing[0]}: name {form}")
    try:
        for row in reader:
            yield reader.line_num, {name: (row[name] or "").strip() for name in reader.fieldnames or () if name}
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num} is not CSV ({error}): name {form}") from error


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    return read_rows(path, COLUMNS, FORM)


def _labelled(path: Path, line: int, row: dict[str, str]) -> Labelled:
    if not row["text"]:
        raise InputError(f"{path}, line {line} has an empty text: fill it in or take the line out")
    return Labelled(row["text"], is_positive(path, line, row["label"]))


def is_positive(path: Path, line: int, label: str) -> bool:
    """Return what a label says. Raises InputError, naming the line, for any other than 0 and 1."""
    if label not in ("0", "1"):
        raise InputError(f"{path}, line {line} has the label {label!r}: write 1 for positive and 0 for negative")
    return label == "1"


def split_labelled(texts: Sequence[Labelled], one_in: int) -> tuple[list[Labelled], list[Labelled]]:
    """Split into training and held-out texts by the text alone, so that no text is in both."""
    held_out = [is_one_in(one.text, one_in) for one in texts]
    return (
        [one for one, out in zip(texts, held_out, strict=True) if not out],
        [one for one, out in zip(texts, held_out, strict=True) if out],
    )


def digest_of_labelled(texts: Sequence[Labelled]) -> str:
    """Return the SHA-256 over all texts and labels, in their order."""
    return hashlib.sha256(json.dumps([[one.text, one.positive] for one in texts]).encode()).hexdigest()
