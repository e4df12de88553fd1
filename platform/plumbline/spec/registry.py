"""The probes: each one's spec and card."""

from dataclasses import dataclass

from plumbline.spec import ilps, ilps_chain, log_probability
from plumbline.spec.audit import AuditSpec
from plumbline.spec.card import Card


@dataclass(frozen=True, slots=True)
class Method:
    spec: type[AuditSpec]
    card: Card


PROBES: dict[str, Method] = {
    method.card.probe: method
    for method in (
        Method(log_probability.LogProbabilitySpec, log_probability.CARD),
        Method(ilps.IlpsSpec, ilps.CARD),
        Method(ilps_chain.IlpsChainSpec, ilps_chain.CARD),
    )
}
