"""Banks of texts: one text per line of a file, or the column `text` of a CSV file."""

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

from plumbline.spec.errors import InputError
from plumbline.vocab.banks.kinds import BankKind
from plumbline.vocab.banks.reading import Questions, named
from plumbline.vocab.banks.text_file import text_of

ABOUT = {"title": "Held-out texts", "source": "", "licence": "", "origin": ""}
LONGEST = 5000
COLUMN = "text"
"""The column of the texts in a CSV file."""


def texts(path: Path) -> Questions:
    """Return the texts of a file, plain or .gz, in order; empty ones are left out, and a repeated one is kept once.

    Raises InputError for a file without texts, for a CSV file without the column `text`, and for a text of more than
    5,000 characters.
    """
    first: dict[str, int] = {}
    for number, text in _lines(path):
        first.setdefault(text, number)
    if not first:
        raise InputError(f"{path.name} holds no text: write one per line.")
    items = [{"id": str(number), "text": text} for text, number in first.items()]
    again = sum(1 for _ in _lines(path)) - len(items)
    return Questions(
        items, named([path]), ABOUT, [f"{again} lines repeat an earlier one and are left out."] * (again > 0)
    )


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in _rows(path):
        text = line.strip()
        if len(text) > LONGEST:
            raise InputError(f"{path.name}, line {number}: it has {len(text):,} characters, more than {LONGEST:,}.")
        if text:
            yield number, text


def _rows(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the number of the line at which each text ends, and the text."""
    if ".csv" not in path.suffixes:
        yield from enumerate(text_of(path).splitlines(), start=1)
        return
    reader = csv.DictReader(io.StringIO(text_of(path), newline=""))
    if COLUMN not in (reader.fieldnames or ()):
        raise InputError(
            f"{path.name}, line 1: it has no column {COLUMN!r}. Give this name to the column of the texts, or save the"
            " texts as .txt, one per line."
        )
    try:
        yield from ((reader.line_num, row[COLUMN] or "") for row in reader)
    except csv.Error as error:
        raise InputError(f"{path.name}, line {reader.line_num}: it is no CSV file ({error}).") from None


STARTER = Path(__file__).with_name("starter")
BANK_KINDS: Mapping[str, BankKind] = {
    "texts": BankKind("Texts: ordinary text, to see how well a model predicts it", texts, starter=STARTER)
}
