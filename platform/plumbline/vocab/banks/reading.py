"""What reading the files of a bank gives, whatever its kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Questions:
    """Checked questions in their order, and what their bank says about itself."""

    items: Sequence[Mapping[str, Any]]
    imported_from: str
    """Names of the files."""
    about: Mapping[str, str]
    """Title, source, licence, origin."""
    notices: list[str] = field(default_factory=list)
    """What the importer should know, a line each."""


def named(files: Sequence[Path]) -> str:
    """The files' names on one line, cut to the room that a bank has for them."""
    return ", ".join(file.name for file in files)[:1000]
