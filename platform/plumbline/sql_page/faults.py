"""Errors of queries, in words that name the remedy."""

import re
from dataclasses import dataclass

import psycopg
from psycopg import errors

from plumbline.results.columns import VIEWS
from plumbline.results.withheld_functions import WITHHELD

_READS_ONLY = "This page only reads the views results.v_*. Their columns are listed next to the editor."
_WRITES = "Take INSERT, UPDATE, DELETE, MERGE, INTO and FOR UPDATE out of it, also inside WITH (...)."
_AGAIN = "Try again in a minute. If it happens again, name a run and aggregate less at once."
_FUNCTION = re.compile(r"permission denied for function (\w+)")
RESERVED = ("group",)
"""The columns of the views whose names are reserved words of SQL."""
_RESERVED = rf"\b({'|'.join(RESERVED)})\b"
_REMEDIES: list[tuple[type[psycopg.Error], str]] = [
    (errors.InsufficientPrivilege, _READS_ONLY),
    (errors.OutOfMemory, "Aggregate less at once: name a run, or shorten long texts: left(template, 80)."),
    (errors.UndefinedTable, _READS_ONLY + " Write the schema too: results.v_run."),
    (errors.DiskFull, "The query needs too much disk space on the server: name a run or request less."),
    (
        errors.ConfigurationLimitExceeded,
        "The query needs too much disk space on the server: name a run or request less.",
    ),
    (errors.IndeterminateDatatype, "Give the type of the parameter, such as :run::integer."),
]


@dataclass
class AskError(Exception):
    """A query without an answer: what happened, what to do, and the position in its text (from 1)."""

    message: str
    hint: str = ""
    position: int | None = None

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True)
class Place:
    """The line of an error in a query, and the word at which it begins."""

    line: int
    before: str
    word: str
    after: str


def of_server(error: psycopg.Error, text: str, seconds: float, timeout: float) -> AskError:
    """Return the error that PostgreSQL or psycopg reported."""
    if isinstance(error, errors.QueryCanceled):
        return too_long(timeout) if seconds >= timeout else AskError("The query was cancelled.")
    diagnosis = error.diag
    message = diagnosis.message_primary or str(error)
    if known := _known(error, message):
        return known
    if "multiple commands" in message:
        return AskError("This page runs one statement at a time.", "Keep one statement and remove the semicolons.")
    remedy = next((text for kind, text in _REMEDIES if isinstance(error, kind)), "")
    if isinstance(error, errors.UndefinedColumn):
        remedy = _where_is(message)
    position = int(diagnosis.statement_position or 0) or None
    unquoted = _unquoted(text, position) if position and isinstance(error, errors.SyntaxError) else ""
    hints = (diagnosis.message_detail, diagnosis.message_hint, remedy, unquoted)
    return AskError(_sentence(message), " ".join(_sentence(hint) for hint in hints if hint), position)


def _where_is(message: str) -> str:
    """Return which views have the column that a query looks for elsewhere, or else how texts and names are quoted."""
    missing = re.search(r'column "?(?:\w+\.)?(\w+)"? does not exist', message)
    having = [f"results.v_{view}" for view, columns in VIEWS.items() if missing and missing[1] in columns]
    if not having:
        return (
            "Put texts in single quotes, and names of columns such as group in double quotes. The columns of each view"
            " are listed next to the editor."
        )
    return f"These views have such a column: {', '.join(having)}. Name one of them after FROM or JOIN."


def _unquoted(text: str, position: int) -> str:
    """Return what to do if a column whose name is a reserved word is at or just before the position; else ""."""
    before, after = text[: position - 1], text[position - 1 :]
    found = re.match(_RESERVED, after, re.IGNORECASE) or re.search(_RESERVED + r"\s*$", before, re.IGNORECASE)
    return (
        f'Write "{found[1].lower()}" in double quotes: it is a column here, and a reserved word of SQL' if found else ""
    )


def _known(error: psycopg.Error, message: str) -> AskError | None:
    """Return an error in our own words where the server's words mislead."""
    denied = isinstance(error, errors.InsufficientPrivilege)
    # Readers may read these views, so only writing and locking can be denied.
    if isinstance(error, errors.ReadOnlySqlTransaction) or (denied and "denied for view v_" in message):
        # PostgreSQL says "cannot execute SELECT in a read-only transaction" for WITH x AS (DELETE ...) SELECT.
        return AskError("The query changes data or locks rows, and this page only reads.", _WRITES)
    if denied and (name := _FUNCTION.search(message)):
        reason = next((why for why, names in WITHHELD.items() if re.fullmatch("|".join(names), name[1])), "")
        why = f": it {reason}" if reason else ""
        return AskError(f"Readers may not execute the function {name[1]}{why}.", "Take it out of the query.")
    if re.search("requested length too large|memory alloc request size", message):
        return AskError("A value of the query is larger than 1 GB.", "Aggregate less at once, or shorten long texts.")
    if isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
        return AskError("The server ended the connection: it restarts, or the query took all of its memory.", _AGAIN)
    return None


def too_long(timeout: float) -> AskError:
    return AskError(
        f"The query took more than {timeout:g} s and was stopped.",
        "Name a run (WHERE run = 7): a query without it reads the records of all runs.",
    )


def too_large() -> AskError:
    return AskError(
        "The answer is too large.", "Select fewer rows or columns, or shorten long texts: left(template, 80)."
    )


def place(text: str, position: int) -> Place:
    """Return the line and word at `position` (from 1)."""
    at = min(position - 1, len(text))
    start = text.rfind("\n", 0, at) + 1
    line = text[start:].split("\n", 1)[0]
    column = at - start
    end = next((i for i in range(column + 1, len(line)) if not (line[i].isalnum() or line[i] == "_")), len(line))
    return Place(text.count("\n", 0, at) + 1, line[:column], line[column:end], line[end:])


def _sentence(text: str) -> str:
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")
