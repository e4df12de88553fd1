"""Duplicates in a file of words: rows with a word that an earlier row or the list has already."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.vocab.sheet import Row

IN_LIST = "in the list already"

Read = tuple[Row, Any]
"""A row of a file, and the unsaved entry that it describes."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """One row that an import left out, and where its word is already."""

    line: int
    unit: str
    word: str
    place: str

    def __str__(self) -> str:
        return f"{self.unit} {self.line}: {self.word!r} is {self.place}"


def without_duplicates(read: Iterable[Read], present: Iterable[Any]) -> tuple[list[Read], list[Skipped]]:
    """Return the rows with new words only, and the others. Of equal rows in the file the first one is kept."""
    places = {word: IN_LIST for entry in present for word in entry.words()}
    fresh: list[Read] = []
    skipped: list[Skipped] = []
    for row, entry in read:
        known = next((word for word in entry.words() if word in places), None)
        if known is None:
            places |= dict.fromkeys(entry.words(), f"on {row.unit} {row.line} already")
            fresh.append((row, entry))
        else:
            skipped.append(Skipped(row.line, row.unit, known, places[known]))
    return fresh, skipped


def count_of(skipped: Sequence[Skipped]) -> str:
    """Return how many rows were skipped, as a sentence."""
    return f"{len(skipped):,} duplicate {'row was' if len(skipped) == 1 else 'rows were'} skipped"
