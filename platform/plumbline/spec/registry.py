"""The methods, one line each. The parts of a method are loaded by their names when they are asked for.

So this module knows no method, a method costs nothing until somebody uses it, and adding one edits this list alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar, cast

from plumbline.spec.audit import AuditSpec
from plumbline.spec.card import Card

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Method:
    """What a probe is called with, and what it reports. The module `spec` of its folder has it in METHODS."""

    spec: type[AuditSpec]
    card: Card


@dataclass(frozen=True, slots=True)
class Folders:
    """The dotted names of a method's two folders: what it is and shows, and how a worker executes it."""

    platform: str
    workers: str

    def part(self, name: str) -> Any:
        """The module of that name in the platform's folder; None where the method has none."""
        return _module(self.platform, name)

    def workers_part(self, name: str) -> Any:
        """The module of that name in the workers' folder. Only a worker may ask for it."""
        return _module(self.workers, name)


def _module(folder: str, name: str) -> Any:
    try:
        return import_module(f"{folder}.{name}")
    except ModuleNotFoundError as error:
        if error.name == f"{folder}.{name}":
            return None
        raise


def _own(folder: str) -> Folders:
    return Folders(f"plumbline.methods.{folder}", f"workers.probes.{folder}")


FOLDERS: dict[str, Folders] = {
    "log_probability": _own("association"),
    "ilps": _own("association"),
    "ilps_chain": _own("association"),
    "set": _own("association"),
    "ceat": _own("ceat"),
    "weat": _own("weat"),
    "gap": _own("gap"),
    "sodapop": _own("sodapop"),
    "name_embedding": _own("name_embedding"),
    "bbq": _own("bbq"),
    "indirect": _own("indirect"),
}
"""The registration: a line here adds a method."""


class Methods(Mapping[str, Method]):
    """The registered methods by probe."""

    def __getitem__(self, probe: str) -> Method:
        method: Method = FOLDERS[probe].part("spec").METHODS[probe]
        return method

    def __contains__(self, probe: object) -> bool:
        return probe in FOLDERS

    def __iter__(self) -> Iterator[str]:
        return iter(FOLDERS)

    def __len__(self) -> int:
        return len(FOLDERS)


PROBES = Methods()


def card_of(probe: str) -> Card | None:
    """Return the card of a probe; None for one that is not registered (any more)."""
    return PROBES[probe].card if probe in PROBES else None


def contributed(probe: str, module: str, name: str, default: T) -> T:
    """Return what a module of the method's folder holds by that name; the default where there is none."""
    found = FOLDERS[probe].part(module) if probe in FOLDERS else None
    return cast("T", getattr(found, name)) if found else default
