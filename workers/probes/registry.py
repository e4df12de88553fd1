"""The probes by name. A test holds this list against the specs."""

from collections.abc import Callable

from plumbline.spec.association import AssociationSpec
from plumbline.spec.registry import PROBES as METHODS
from workers.probes.association.probe import AssociationProbe
from workers.probes.association.readings import Reading, log_probabilities
from workers.probes.bbq.probe import BbqProbe
from workers.probes.ceat.probe import CeatProbe
from workers.probes.gap.probe import GapProbe
from workers.probes.indirect.probe import IndirectProbe
from workers.probes.name_embedding.probe import NameEmbeddingProbe
from workers.probes.protocol import Probe, StagedProbe
from workers.probes.set.reading import distances
from workers.probes.sodapop.probe import SodapopProbe
from workers.probes.weat.probe import WeatProbe

_ASSOCIATIONS: dict[str, Callable[[AssociationSpec], Reading]] = {
    "log_probability": log_probabilities,
    "ilps": log_probabilities,
    "ilps_chain": log_probabilities,
    "set": distances,
}
PROBES: dict[str, Probe] = {
    **{probe: AssociationProbe(METHODS[probe].card, reading) for probe, reading in _ASSOCIATIONS.items()},
    "bbq": BbqProbe(METHODS["bbq"].card),
    "ceat": CeatProbe(METHODS["ceat"].card),
    "gap": GapProbe(METHODS["gap"].card),
    "indirect": IndirectProbe(METHODS["indirect"].card),
    "name_embedding": NameEmbeddingProbe(METHODS["name_embedding"].card),
    "weat": WeatProbe(METHODS["weat"].card),
}
STAGED: dict[str, StagedProbe] = {"sodapop": SodapopProbe()}
"""Those of several phases."""
