"""What is said of how firm the figures of an association run are: under other priors, and in other sentences."""

from plumbline.spec.card import Statistic

RANK_AGREEMENT = Statistic(
    name="prior_rank_agreement",
    unit="correlation",
    sentence="How far a group's words stand in the same order under another prior: 1 the same order, 0 unrelated.",
    equation="Kendall's tau-b of a group's mean scores under the spec's prior and under that of the variant",
    source="ours; Kendall 1945",
    caveat="It says how much the choice of the prior decides a ranking, not which prior is right.",
)
"""A row for each group, and their mean in a row without group."""

ROBUSTNESS = (RANK_AGREEMENT,)
"""Of every run with scores by group and attribute, so on no probe's card."""
