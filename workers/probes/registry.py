"""The probes by name. A test holds this list against the specs."""

from plumbline.spec.registry import PROBES as METHODS
from workers.probes.association.probe import AssociationProbe
from workers.probes.protocol import Probe

PROBES: dict[str, Probe] = {
    probe: AssociationProbe(METHODS[probe].card) for probe in ("log_probability", "ilps", "ilps_chain")
}
