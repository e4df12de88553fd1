"""The probes by name. Each is loaded from the folder of its method when somebody asks for it."""

from collections.abc import Iterator, Mapping
from typing import Any

from plumbline.spec.registry import FOLDERS
from workers.probes.protocol import Probe, StagedProbe


class Probes(Mapping[str, Probe[Any] | StagedProbe[Any]]):
    """The probes of the registered methods. The module `probe` of a method's workers' folder has them in PROBES."""

    def __getitem__(self, probe: str) -> Probe[Any] | StagedProbe[Any]:
        found: Probe[Any] | StagedProbe[Any] = FOLDERS[probe].workers_part("probe").PROBES[probe]
        return found

    def __contains__(self, probe: object) -> bool:
        return probe in FOLDERS

    def __iter__(self) -> Iterator[str]:
        return iter(FOLDERS)

    def __len__(self) -> int:
        return len(FOLDERS)


PROBES = Probes()
