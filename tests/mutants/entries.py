"""The mutants: faults that somebody might put into the code, each of which some test must notice."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FILE = Path(__file__).with_name("mutants.toml")
CODE = (
    *("platform/**/*.py", "platform/**/*.sql", "platform/**/*.js", "static/**/*.js"),
    *("workers/**/*.py", "migrations/versions/*.py"),
)
TOP = ("manage.py", "gunicorn.conf.py", "supervisord.conf")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: `old` occurs exactly once in `file`, and `new` stands in its place.

    `breaks` says what goes wrong for people. `tests` is what pytest is to run. `slow`: no quick test notices the fault.
    """

    name: str
    room: str
    file: str
    old: str
    new: str
    breaks: str
    tests: tuple[str, ...]
    slow: bool = False

    def of(self, text: str) -> str:
        """Return the file's text with the fault in it. ValueError where `old` does not occur exactly once."""
        if (count := text.count(self.old)) != 1:
            raise ValueError(f"{self.name}: 'old' occurs {count} times in {self.file}; it must occur once.")
        return text.replace(self.old, self.new)


def load(file: Path = FILE) -> list[Mutant]:
    """All entries, in the order of the file. TypeError for a key that is unknown or missing."""
    entries: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["mutant"]
    return [Mutant(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries]


def room_of(file: str) -> str:
    """Return the room that a file of the code belongs to: `vocab`, `workers/engine`, `workers/probes/bbq`, `static`."""
    match Path(file).parts:
        case ("workers", "probes", probe, _, *_):
            return f"workers/probes/{probe}"
        case ("workers", room, _, *_):
            return f"workers/{room}"
        case ("platform", _, room, _, *_):
            return room
        case (folder, _, *_):
            return folder
    return "deployment"


def rooms(root: Path = ROOT) -> set[str]:
    """Return all rooms that hold code."""
    files = {file.relative_to(root).as_posix() for pattern in CODE for file in root.glob(pattern)}
    return {room_of(file) for file in files | set(TOP) if not file.endswith("__init__.py")}
