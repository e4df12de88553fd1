"""Files of a team's own contexts: CSV with the columns id, context, question, prompt, answer."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from plumbline.spec.banks.contexts import Context
from plumbline.spec.clean_text import fault_in, tidy
from plumbline.spec.errors import InputError
from plumbline.spec.faults import in_one_line
from plumbline.vocab import csv_file
from plumbline.vocab.banks.reading import Questions, named
from plumbline.vocab.faults import Fault, FaultyFileError
from plumbline.vocab.faults import named as faults_named
from plumbline.vocab.models import Bank
from plumbline.vocab.sheet import Row

COLUMNS = ("id", "context", "question", "prompt", "answer")
ABOUT = {"title": "Contexts of our own", "source": "", "licence": "", "origin": ""}


def questions(path: Path) -> Questions:
    """Return the contexts of a file. Raises InputError, or FaultyFileError with each faulty line, naming the file."""
    text, notices = csv_file.read_text(path)
    with faults_named(path.name):
        return Questions(read(text), named([path]), ABOUT, notices)


def read(text: str) -> list[dict[str, Any]]:
    """Return the contexts of a CSV text in their order. Raises FaultyFileError with all faulty lines."""
    sheet = csv_file.read(text, COLUMNS[0], COLUMNS)
    faults, found, seen = list(sheet.faults), [], dict[str, int]()
    for row in sheet.rows:
        try:
            context = _context(row.cells)
            if first := seen.setdefault(context["id"], row.line) - row.line:
                raise InputError(f"the id {context['id']!r} appears on line {row.line + first} already; keep one")
            found.append(context)
        except InputError as error:
            faults.append(_fault(row, error))
    if faults:
        raise FaultyFileError(faults)
    return found


def _context(cells: Mapping[str, str]) -> dict[str, Any]:
    texts = {column: tidy(cells.get(column, "")) for column in COLUMNS}
    for column, text in texts.items():
        if fault := fault_in(text):
            raise InputError(f"{column} {fault}")
    try:
        return Context.model_validate(texts).model_dump(include=set(COLUMNS))
    except ValidationError as error:
        raise InputError(in_one_line(error)) from None


def _fault(row: Row, error: InputError) -> Fault:
    return row.fault(str(error))


def exported(slug: str) -> str:
    """Return the contexts of a bank as CSV text, which `read` takes; items without a prompt are left out.

    Raises InputError for an unknown bank, and for one that holds no contexts.
    """
    bank = Bank.objects.filter(slug=slug).first()
    if bank is None:
        raise InputError(f"there is no bank {slug!r}; `manage.py bank list` shows all banks.")
    rows = [item.content for item in bank.entries.order_by("position") if item.content.get("prompt")]
    if not rows:
        raise InputError(f"the bank {slug!r} holds no contexts: it is of the kind {bank.kind}.")
    return csv_file.write(COLUMNS, rows)
