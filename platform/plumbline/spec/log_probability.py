"""Log probability bias score (Kurita et al. 2019, section 2)."""

from typing import Literal

from plumbline.spec.association import AssociationSpec, WholeWordParams
from plumbline.spec.card import SCORABLE_SHARE, Card, Statistic, centred


class LogProbabilityParams(WholeWordParams):
    variant: Literal["paper"] = "paper"
    prior_masks: Literal["one", "per_subword"] = "one"
    """Masks that stand for the attribute in the prior sentence: one (the paper's), or one for each subword."""


class LogProbabilitySpec(AssociationSpec):
    """`groups` are the targets; the prior is the method's own, so there is no `prior` key."""

    probe: Literal["log_probability"]
    params: LogProbabilityParams = LogProbabilityParams()


CARD = Card(
    probe="log_probability",
    version="1",
    title="Log probability bias score",
    model_kinds=("masked", "causal"),
    tables=("association",),
    phases=("scoring",),
    statistics=(
        Statistic(
            name="increased_log_probability",
            unit="natural log",
            sentence="How much the attribute raises the log probability of the target in the same sentence.",
            equation="log p_target - log p_prior",
            source="Kurita et al. 2019, section 2, steps 2 to 4",
            caveat="It depends on the templates; a target that splits is represented by its first subword.",
        ),
        Statistic(
            name="log_probability_bias",
            unit="natural log",
            sentence="How much more the attribute raises the first target than the second.",
            equation="(log p_target,a - log p_prior,a) - (log p_target,b - log p_prior,b)",
            source="Kurita et al. 2019, section 2",
            caveat="A value near zero is no proof of fairness; other templates and targets may show a bias.",
        ),
        centred("log_probability_bias", "Kurita et al. 2019, section 2"),
        SCORABLE_SHARE,
    ),
    score="increased_log_probability",
    difference="log_probability_bias",
    ours="On causal models the slot that comes later is scored, relative to its mean over the targets (or attributes).",
)
