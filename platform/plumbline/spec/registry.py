"""The probes: each one's spec and card."""

from dataclasses import dataclass

from plumbline.spec import bbq, ceat, gap, ilps, ilps_chain, indirect, log_probability, name_embedding, sodapop, weat
from plumbline.spec.audit import AuditSpec
from plumbline.spec.card import Card
from plumbline.spec.set import CARD as SET_CARD
from plumbline.spec.set import SetSpec


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
        Method(SetSpec, SET_CARD),
        Method(ceat.CeatSpec, ceat.CARD),
        Method(weat.WeatSpec, weat.CARD),
        Method(gap.GapSpec, gap.CARD),
        Method(sodapop.SodapopSpec, sodapop.CARD),
        Method(name_embedding.NameEmbeddingSpec, name_embedding.CARD),
        Method(bbq.BbqSpec, bbq.CARD),
        Method(indirect.IndirectSpec, indirect.CARD),
    )
}
