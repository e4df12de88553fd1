"""The result of reading a bank's files, whatever its kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


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
