"""One line of the doctor's report."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    OK = "ok"
    NOTE = "note"
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Line:
    """A subject, how it stands, and what to do if it is wrong. A note is a choice that an operator should know."""

    level: Level
    subject: str
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        remedy = f": {self.remedy}" if self.remedy else ""
        return f"{self.level:<7}{self.subject:<12}{self.what}{remedy}"


def ok(subject: str, what: str) -> Line:
    return Line(Level.OK, subject, what)


def note(subject: str, what: str, remedy: str = "") -> Line:
    return Line(Level.NOTE, subject, what, remedy)


def wrong(subject: str, what: str, remedy: str) -> Line:
    return Line(Level.WRONG, subject, what, remedy)
