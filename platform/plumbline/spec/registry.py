"""The methods, one line each. The parts of a method are loaded by name on first use.

This module knows no method, an unused method costs nothing, and a new method only adds a line here.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, TypeVar, cast

from plumbline.spec.audit import AuditSpec
from plumbline.spec.card import Card

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Method:
    """The spec and the card of a probe. The `spec` module of the method's folder lists them in METHODS."""

    spec: type[AuditSpec]
    card: Card


@dataclass(frozen=True, slots=True)
class Folders:
    """The dotted names of a method's platform folder and workers' folder."""

    platform: str
    workers: str

    def part(self, name: str) -> Any:
        """Return the module with that name in the platform folder, or None."""
        return _module(self.platform, name)

    def workers_part(self, name: str) -> Any:
        """Return the module with that name in the workers' folder. Only workers may call this."""
        return _module(self.workers, name)


@cache
def _module(folder: str, name: str) -> Any:
    """Return the module; None if the folder has none of that name. A search for a missing one takes 0.1 ms."""
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
    "pairs": _own("pairs"),
    "perplexity": _own("perplexity"),
    "question_accuracy": _own("question_accuracy"),
}
"""The registration: one line adds a method."""


class ByProbe(Mapping[str, T]):
    """Something of each registered method by its probe; a subclass says what, and loads it when somebody asks."""

    def __contains__(self, probe: object) -> bool:
        return probe in FOLDERS

    def __iter__(self) -> Iterator[str]:
        return iter(FOLDERS)

    def __len__(self) -> int:
        return len(FOLDERS)


class Methods(ByProbe[Method]):
    """The registered methods by probe."""

    def __getitem__(self, probe: str) -> Method:
        method: Method = FOLDERS[probe].part("spec").METHODS[probe]
        return method


PROBES = Methods()


def card_of(probe: str) -> Card | None:
    """Return the card of a probe, or None if the probe is not registered (any more)."""
    return PROBES[probe].card if probe in PROBES else None


def contributed(probe: str, module: str, name: str, default: T) -> T:
    """Return what a module of the method's folder holds by that name; the default if there is none."""
    found = FOLDERS[probe].part(module) if probe in FOLDERS else None
    return cast("T", getattr(found, name)) if found else default


def all_contributed(module: str, name: str) -> dict[str, Any]:
    """Return the entries of the mapping `name` in the module `module` of every method's folder, in one mapping."""
    return _merged((folders.platform for folders in FOLDERS.values()), module, name)


def all_contributed_by_workers(module: str, name: str) -> dict[str, Any]:
    """Return the entries of the mappings `name` in the workers' folders. Only a worker may ask for them."""
    return _merged((folders.workers for folders in FOLDERS.values()), module, name)


def _merged(folders: Iterable[str], module: str, name: str) -> dict[str, Any]:
    """Return one mapping of the entries of all folders that have the module. Probes may share a folder."""
    modules = [_module(folder, module) for folder in dict.fromkeys(folders)]
    return {key: entry for found in filter(None, modules) for key, entry in getattr(found, name).items()}
