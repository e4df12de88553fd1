"""Increased log probability score, ILPS (Kurita et al. 2019; Cao et al. 2022, section 3.1)."""

from typing import Literal

from plumbline.analyses.alignment.statistics import ALIGNMENT
from plumbline.analyses.intersections.statistics import STATISTICS as INTERSECTIONS
from plumbline.methods.association.bases import FIRST_SUBWORD
from plumbline.methods.association.finding_rules import finding_rules
from plumbline.spec.association import AssociationParams, AssociationSpec
from plumbline.spec.card import Card, Statistic
from plumbline.spec.prior import Prior
from plumbline.spec.self_debias import SelfDebiasSpec
from plumbline.spec.shared_statistics import (
    ALIKE_FRAMES,
    PAIR_SCORE,
    PAIR_SCORE_AVERAGED,
    SCORABLE_SHARE,
    centred,
)
from plumbline.spec.verdicts import Scale

CANCELS = (
    "The prior cancels out, except on a causal model in templates that name the attribute first. A value near zero is"
    " no proof of fairness: it depends on the templates."
)
NEAR_ZERO = "A value near zero is no proof of fairness: it depends on the templates and the prior."
SPLIT_WORDS = (
    "Of a word that splits, only the first subword is scored: words that begin with the same one have the same figure."
)


class IlpsParams(AssociationParams):
    variant: Literal["paper"] = "paper"


class IlpsSpec(SelfDebiasSpec, AssociationSpec):
    probe: Literal["ilps"]
    prior: Prior
    params: IlpsParams = IlpsParams()


def statistics_of(name: str, sentence: str, equation: str, source: str, limit: str = "") -> tuple[Statistic, ...]:
    """Return the score of a group with an attribute, its difference between groups, and the centred difference.

    `limit` is what the score leaves out. It is part of the caveats of score and difference.
    """
    return (
        Statistic(name, "natural log", sentence, equation, source, f"{NEAR_ZERO} {limit}".rstrip(), Scale.LOG),
        Statistic(
            f"{name}_difference",
            "natural log",
            "How much more the model links the attribute with the first group than with the second (or the others).",
            f"mean over kinds of sentence of {name}(a, attribute) - {name}(b, attribute)",
            f"{source}; the difference as Kurita et al. 2019, section 2",
            f"{CANCELS} {limit}".rstrip(),
            Scale.LOG,
        ),
        centred(f"{name}_difference", source),
        SCORABLE_SHARE,
        ALIKE_FRAMES,
        PAIR_SCORE,
        PAIR_SCORE_AVERAGED,
        *ALIGNMENT,
        *INTERSECTIONS,
    )


CARD = Card(
    probe="ilps",
    version="1",
    title="Increased log probability score (ILPS)",
    model_kinds=("masked", "causal"),
    tables=("association",),
    phases=("scoring",),
    statistics=statistics_of(
        "ilps",
        "How much naming the group raises the log probability of the attribute's first subword over the prior.",
        "log P(t_1 | group) - log P(t_1 | prior)",
        "Cao et al. 2022, section 3.1",
        SPLIT_WORDS,
    ),
    score="ilps",
    difference="ilps_difference",
    basis=FIRST_SUBWORD,
    findings=finding_rules("ilps_difference"),
    ours="Causal models: the first subword of the slot that comes later, given the text before it.",
)
