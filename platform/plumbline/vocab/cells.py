"""Values of curated fields as cells of a file, and back.

A spreadsheet runs a cell that begins with one of = + - @ as a formula. Such text is written with an apostrophe in
front, also where white space or apostrophes come before the sign. Reading takes one such apostrophe away. Text like
'Abd stays as it is in both directions.
"""

import re
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models

from plumbline.spec.errors import InputError
from plumbline.vocab.fields import AmountField

FORMULA = "=+\\-@＝＋－＠"
_SKIPPED = r"'\s\x00-\x1f\u200b\u2060\ufeff"
"""What a spreadsheet may skip before a formula: apostrophes, white space, control and zero-width characters."""
_NEEDS_ESCAPE = re.compile(f"[{_SKIPPED}]*[{FORMULA}]")
_IS_ESCAPED = re.compile(f"'[{_SKIPPED}]*[{FORMULA}]")
_IS_FORMULA = re.compile(f"[{FORMULA}]")
_TRUTH = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False, "": False}


def escape(text: str) -> str:
    """Return the text so that no spreadsheet takes it for a formula; `unescape` gives the original back."""
    return "'" + text if _NEEDS_ESCAPE.match(text) else text


def unescape(cell: str) -> str:
    """Return the text of a cell. Raises InputError for a bare formula."""
    cell = cell.strip()
    if _IS_FORMULA.match(cell):
        raise InputError(f"{cell[:40]!r} would be a formula in a spreadsheet; write an apostrophe before it")
    return cell[1:] if _IS_ESCAPED.match(cell) else cell


def unescape_typed(text: str) -> str:
    """Return the text of a cell that its file marks as text, so that a sign at its beginning makes no formula."""
    text = text.strip()
    return text[1:] if _IS_ESCAPED.match(text) else text


def to_text(value: Any) -> str:
    """Return a curated field as text: lists with semicolons between the words, True as yes, None as nothing."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else ""
        case list():
            return "; ".join(value)
        case float():
            return repr(value).removesuffix(".0")
    return str(value)


def from_text(field: Any, text: str) -> Any:
    """Return the value of a curated field. Raises InputError for a truth value that is none."""
    if isinstance(field, ArrayField):
        return [word.strip() for word in text.split(";") if word.strip()]
    if isinstance(field, models.BooleanField):
        if text.lower() not in _TRUTH:
            raise InputError(f"{field.name} is {text!r}; write yes or no")
        return _TRUTH[text.lower()]
    if isinstance(field, AmountField):
        return text or None  # cleaning the entry makes a number of it, or says why it is none
    return text
