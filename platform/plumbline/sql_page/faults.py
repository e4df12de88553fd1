"""What went wrong with a question, in words that tell what to do."""

from dataclasses import dataclass

import psycopg
from psycopg import errors

_READS_ONLY = "This page reads the views results.v_* and nothing else; their columns stand beside the editor."
_REMEDIES: list[tuple[type[psycopg.Error], str]] = [
    (errors.InsufficientPrivilege, _READS_ONLY),
    (errors.ReadOnlySqlTransaction, _READS_ONLY),
    (errors.UndefinedTable, _READS_ONLY + " Write the schema too: results.v_run."),
    (errors.UndefinedColumn, "Texts stand in single quotes, names of columns such as group in double ones."),
    (errors.DiskFull, "The answer needs too much room on the server: name a run, or ask for less at once."),
    (errors.ConfigurationLimitExceeded, "The answer needs too much room on the server: name a run, or ask for less."),
    (errors.IndeterminateDatatype, "Say what kind of value the parameter is, such as :run::integer."),
]


@dataclass
class AskError(Exception):
    """A question without an answer: what happened, what to do, and where in its text (from 1)."""

    message: str
    hint: str = ""
    position: int | None = None

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True)
class Place:
    """The line of a question in which a fault lies, and the word that it begins at."""

    line: int
    before: str
    word: str
    after: str


def of_server(error: psycopg.Error, seconds: float, timeout: float) -> AskError:
    """A fault that PostgreSQL or psycopg named."""
    if isinstance(error, errors.QueryCanceled):
        return too_long(timeout) if seconds >= timeout else AskError("The question was cancelled.")
    diagnosis = error.diag
    message = diagnosis.message_primary or str(error)
    if "multiple commands" in message:
        return AskError("This page asks one statement at a time.", "Take out all but one, and the semicolons between.")
    remedy = next((text for kind, text in _REMEDIES if isinstance(error, kind)), "")
    hints = (diagnosis.message_detail, diagnosis.message_hint, remedy)
    hint = " ".join(_sentence(text) for text in hints if text)
    position = diagnosis.statement_position
    return AskError(_sentence(message), hint, int(position) if position else None)


def too_long(timeout: float) -> AskError:
    return AskError(
        f"The question took more than {timeout:g} s and was stopped.",
        "Name a run (WHERE run = 1): a question without one reads the records of all runs.",
    )


def too_large() -> AskError:
    return AskError(
        "The answer is too large.", "Ask for fewer rows or columns, or shorten long texts: left(template, 80)."
    )


def place(text: str, position: int) -> Place:
    """Where the character at `position` (from 1) stands, with its line."""
    at = min(position - 1, len(text))
    start = text.rfind("\n", 0, at) + 1
    line = text[start:].split("\n", 1)[0]
    column = at - start
    end = next((i for i in range(column + 1, len(line)) if not (line[i].isalnum() or line[i] == "_")), len(line))
    return Place(text.count("\n", 0, at) + 1, line[:column], line[column:end], line[end:])


def _sentence(text: str) -> str:
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")
