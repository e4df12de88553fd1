"""The result of reading a bank's files, whatever its kind."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Questions:
    """Checked questions in their order, and the fields of their bank."""

    items: Sequence[Mapping[str, Any]]
    imported_from: str
    """The names of the files."""
    about: Mapping[str, str]
    """Title, source, licence, origin."""
    notices: list[str] = field(default_factory=list)
    """Notices for the importer, a line each."""


def named(files: Sequence[Path]) -> str:
    """Return the files' names on one line, cut to the length of the bank's field."""
    return ", ".join(file.name for file in files)[:1000]


def first_few(texts: Iterable[str]) -> str:
    """Return the first MOST_SHOWN texts on one line, and the number of the others."""
    everything = list(texts)
    more = len(everything) - MOST_SHOWN
    return ", ".join(everything[:MOST_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
