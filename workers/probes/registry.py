"""The probes by name. Each is loaded from the folder of its method at its first use."""

from typing import Any

from plumbline.spec.registry import FOLDERS, ByProbe
from workers.probes.protocol import Probe, StagedProbe


class Probes(ByProbe[Probe[Any] | StagedProbe[Any]]):
    """A mapping of the registered methods' probes, from PROBES in the module `probe` of each workers' folder."""

    def __getitem__(self, probe: str) -> Probe[Any] | StagedProbe[Any]:
        found: Probe[Any] | StagedProbe[Any] = FOLDERS[probe].workers_part("probe").PROBES[probe]
        return found


PROBES = Probes()
