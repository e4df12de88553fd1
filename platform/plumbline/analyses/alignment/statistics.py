"""Statistics of pairs of opposites and of the agreement of a model with people."""

from plumbline.spec.card import Statistic
from plumbline.spec.verdicts import Scale

SOURCE = "Cao et al. 2022, section 5.1"
WITH_EXTRA = "with_extra"
"""The variant of agreement with each pole averaged over its adjective and those beside it."""


KENDALL_TAU = Statistic(
    name="kendall_tau",
    title="Kendall's tau",
    unit="correlation",
    sentence="How far the model orders groups and pairs of opposites as people do: 1 alike, 0 unrelated, -1 reversed.",
    equation="Kendall's tau-b of pair scores and mean human ratings, over all cells group x pair (or one group's)",
    source=f"{SOURCE}, Tables 5, 6, A11, A18 and A19; Kendall 1945",
    caveat="It changes when a pair is reversed (see the variant mirrored). It includes what all groups share: see"
    " kendall_tau_excess. Raters said how they think others see a group.",
)

EXCESS = Statistic(
    name="kendall_tau_excess",
    title="Kendall's tau above that with other groups' ratings",
    unit="correlation",
    sentence="How much closer the model is to what people say of each group than to what they say of other groups.",
    equation="kendall_tau with the groups' own ratings - its mean over all exchanges of the groups' ratings",
    source=f"ours, on {SOURCE}",
    caveat="It excludes what all groups share. It can be above 0 where kendall_tau is below 0: then the shared order"
    " is opposed.",
    scale=Scale.CORRELATION,
)
"""T - T0 of METHODS 1a. T0 is `kendall_tau` under the condition `exchanged`."""

KENDALL_TAU_MEAN = Statistic(
    name="kendall_tau_mean",
    title="Kendall's tau within a group, on average",
    unit="correlation",
    sentence="How far the model orders the pairs of opposites as people do within a group, on average over groups.",
    equation="mean over groups of Kendall's tau-b over the pairs of a group",
    source=f"ours, of the values of Table A11; {SOURCE}",
    caveat="It differs from the tau over all cells: it says nothing about how groups differ on one pair.",
)


def _precision(suffix: str, which: str, equation: str, table: str) -> Statistic:
    return Statistic(
        name=f"precision_at_3{suffix}",
        title=f"Precision at 3, {which.removeprefix('three ')}" if suffix else None,
        unit="fraction",
        sentence=f"The share of the model's {which} that people see on the same side of the middle.",
        equation=equation,
        source=f"{SOURCE}, {table}",
        caveat="Compare it with the condition chance: where people lean to one side, that side is easily hit.",
    )


ALIGNMENT = (
    KENDALL_TAU,
    EXCESS,
    KENDALL_TAU_MEAN,
    _precision("", "three highest and three lowest pairs", "(top + bottom) / 2, mean over groups", "Table 6"),
    _precision(
        "_top", "three highest pairs", "of the 3 highest pair scores, the share rated above 50 on average", "Table A12"
    ),
    _precision(
        "_bottom", "three lowest pairs", "of the 3 lowest pair scores, the share rated below 50 on average", "Table A13"
    ),
)
"""The conditions: `model`, `exchanged` (mean over exchanges of the groups' ratings), `chance` (a random ranking),
`group_blind` (each group predicted by people's mean of the other groups), `human_ceiling` (half of the raters against
the other half), and `pilot` and `held_out` (templates).
"""
