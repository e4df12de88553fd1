"""ILPS over whole words by the chain rule (Cao et al. 2022, section 3.2, "Subwords")."""

from typing import Literal

from plumbline.methods.association.bases import WHOLE_WORD
from plumbline.methods.association.finding_rules import finding_rules
from plumbline.methods.association.ilps import statistics_of
from plumbline.spec.association import AssociationSpec, WholeWordParams
from plumbline.spec.card import Card
from plumbline.spec.prior import Prior
from plumbline.spec.self_debias import SelfDebiasSpec


class IlpsChainParams(WholeWordParams):
    variant: Literal["paper", "released_code"] = "paper"
    """`released_code` normalises word-initial and continuation tokens separately (masked models)."""


class IlpsChainSpec(SelfDebiasSpec, AssociationSpec):
    probe: Literal["ilps_chain"]
    prior: Prior
    params: IlpsChainParams = IlpsChainParams()


CARD = Card(
    probe="ilps_chain",
    version="1",
    title="ILPS by the chain rule",
    model_kinds=("masked", "causal"),
    tables=("association",),
    phases=("scoring",),
    statistics=statistics_of(
        "ilps_chain",
        "How much naming the group raises the log probability of the whole attribute over the prior.",
        "sum_i [log P(t_i | group, t_1..t_i-1) - log P(t_i | prior, t_1..t_i-1)]",
        "Cao et al. 2022, sections 3.1 and 3.2",
    ),
    score="ilps_chain",
    difference="ilps_chain_difference",
    basis=WHOLE_WORD,
    findings=finding_rules("ilps_chain_difference"),
    ours="Causal models: the slot that comes later, given the text before it; options suffix, ends and format.",
)
