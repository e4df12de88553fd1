"""Sensitivity test, SeT (Cao et al. 2022, section 3.1)."""

from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator

from plumbline.methods.association.bases import SENSITIVITY
from plumbline.methods.association.finding_rules import finding_rules
from plumbline.methods.association.ilps import statistics_of
from plumbline.spec.association import AssociationParams, AssociationSpec
from plumbline.spec.card import Card, Statistic
from plumbline.spec.prior import Prior


class SetParams(AssociationParams):
    variant: Literal["paper", "released_code"] = "paper"
    """`released_code` compares log(1 - distance) with the bias as a column of the matrix (masked models)."""
    margin: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)] = 1.0
    """The margin by which the attribute's logit must exceed every other."""


class SetSpec(AssociationSpec):
    probe: Literal["set"]
    prior: Prior
    params: SetParams = SetParams()
    scores_groups: ClassVar[bool] = False

    @field_validator("prior")
    @classmethod
    def _of_one_sentence(cls, prior: Prior) -> Prior:
        if prior.mean:
            raise ValueError(
                "{mean: true} is a mean of probabilities, which distances lack: give {mask: one} or"
                " {singular: person, plural: people}"
            )
        return prior


MISSING = (
    "Not missing at random: a word on top already has no score, the strongest association (released_code: distances"
    " from 1 on, the weakest). "
)


def _told(*texts: str) -> tuple[Statistic, ...]:
    score, difference, *others = statistics_of(*texts)
    told = (replace(one, caveat=MISSING + one.caveat) for one in (score, difference))
    return (*told, *others)


CARD = Card(
    probe="set",
    version="1",
    title="Sensitivity test (SeT)",
    model_kinds=("masked", "causal"),
    needs_weights="distances are read from the last layer and its input",
    tables=("association",),
    phases=("scoring",),
    statistics=_told(
        "set",
        "How much less the last layer must change for the attribute to become the top word, relative to the prior.",
        "-log(max_i D(t_i | group, t_1..t_i-1) / max_i D(t_i | prior, t_1..t_i-1)), D = min ||A' - A||^2 so that t_i"
        " is on top by the margin",
        "Cao et al. 2022, sections 3.1 and 3.2",
    ),
    score="set",
    difference="set_difference",
    basis=SENSITIVITY,
    findings=finding_rules("set_difference"),
    ours=(
        "Earlier subwords are filled in, on which the paper is silent. Only the output matrix moves: where it is also"
        " the embedding of the input, hidden states stay. Causal models: the slot that comes later, given the text"
        " before it; the attribute must come later. A margin of 1 means more where logits are small: between models"
        " compare ranks."
    ),
)
