"""JSON files of words: a list of objects, one an entry, with the columns as keys. No cell needs an escape here."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from plumbline.spec.errors import InputError
from plumbline.spec.json_text import load_json
from plumbline.vocab.faults import Fault
from plumbline.vocab.sheet import Row, Sheet, check_filled

UNIT = "entry"


def read(text: str, known: Sequence[str]) -> Sheet:
    """Return the objects as rows; the first is entry 1. An object with an unknown key or a nested value is a fault.

    Raises InputError for text that is no JSON list, for too many entries and for none at all.
    """
    try:
        entries = load_json(text)
    except InputError as error:
        raise InputError(f"{str(error).rstrip('.')}; write a list of objects.") from None
    if not isinstance(entries, list):
        raise InputError('it holds no list; write [{"column": "text", ...}, ...].')
    sheet = Sheet()
    for number, entry in enumerate(entries, start=1):
        try:
            row = Row(number, _cells(entry, known), UNIT)
        except InputError as error:
            sheet.blame(Fault(number, str(error), UNIT))
        else:
            sheet.add(row)
    check_filled(sheet)
    return sheet


def _cells(entry: Any, known: Sequence[str]) -> dict[str, str]:
    if not isinstance(entry, dict):
        raise InputError("it is no object; write {...} with the columns as keys")
    if foreign := [key for key in entry if key not in known]:
        raise InputError(f"unknown key {foreign[0][:40]!r}; the keys are {', '.join(known)}")
    return {key: _text(key, value) for key, value in entry.items()}


def _text(key: str, value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case str():
            return value.strip()
        case int() | float():
            return str(value)
        case list() if all(isinstance(word, str) and ";" not in word for word in value):
            return "; ".join(value)
    raise InputError(f"{key} is neither a text nor a list of texts without semicolons")


def write(rows: Iterable[Mapping[str, str]]) -> str:
    """Return the JSON text of rows, without empty cells; `read` gives the rows back."""
    entries = [{column: text for column, text in row.items() if text} for row in rows]
    return json.dumps(entries, ensure_ascii=False, indent=1) + "\n"
