"""What is said of how firm the figures of an association run are: under other priors, and in other sentences."""

from plumbline.spec.card import Statistic

RELIABLE = 0.7
"""Below this reliability a ranking is drawn as bands."""
POOLED = "the mean over the run's contrasts stands in a row without groups"

RANK_AGREEMENT = Statistic(
    name="prior_rank_agreement",
    unit="correlation",
    sentence="How far a group's words stand in the same order under another prior: 1 the same order, 0 unrelated.",
    equation="Kendall's tau-b of a group's mean scores under the spec's prior and under that of the variant",
    source="ours; Kendall 1945",
    caveat="It says how much the choice of the prior decides a ranking, not which prior is right.",
)
"""A row for each group, and their mean in a row without group."""

RELIABILITY = Statistic(
    name="split_half_reliability",
    unit="fraction",
    sentence="How well the order of the words would come out again in as many other kinds of sentence: 1 alike, 0 not.",
    equation="2r / (1 + r), r the mean correlation of the words' means in two random halves of the kinds",
    source="Spearman 1910; Brown 1910",
    caveat=f"It is about the order of these words. Below {RELIABLE} ranks say little. A reliable order can be wrong.",
)
KINDS_NEEDED = Statistic(
    name="kinds_needed",
    unit="kinds of sentence",
    sentence="How many kinds of sentence would give the order of the words a reliability of 0.8.",
    equation="kinds * 4 * (1 - reliability) / reliability",
    source="Spearman 1910; Brown 1910",
    caveat="It holds for kinds that differ as much as those of the run.",
)
"""`condition` of both names the statistic that is ranked: a difference, the score of a group, its pair scores."""

SCORE_COMPONENT = Statistic(
    name="variance_component",
    unit="squared unit of the score",
    sentence="How much of the scores' variance comes from groups, words, kinds of sentence, frames and interactions.",
    equation="mean squares of the crossed table of groups, words and kinds, solved for the components; at least 0",
    source="Brennan 2001, Generalizability Theory, chapters 3 and 4",
    caveat="Words and groups with an item that cannot be scored are left out of it.",
)
DIFFERENCE_COMPONENT = Statistic(
    name="difference_variance_component",
    unit="squared unit of the score",
    sentence="How much of the variance of a difference between groups comes from words, kinds of sentence and frames.",
    equation=f"the same of the differences, template by template; {POOLED}",
    source="Brennan 2001, Generalizability Theory, chapters 3 and 4",
    caveat="Words with an item that cannot be scored are left out of it.",
)
"""`condition` of both names the source."""

LEAVE_ONE_OUT = Statistic(
    name="leave_one_kind_out",
    unit="the score's own",
    sentence="Between which values a difference lies when any one kind of sentence is left out.",
    equation="least and greatest mean over all kinds but one",
    source="ours",
    caveat="The two limits are a range, not a confidence interval.",
)
BY_KIND = Statistic(
    name="difference_by_kind",
    unit="the score's own",
    sentence="The mean difference over the words of a list in one kind of sentence.",
    equation="mean over word families of the difference in the kind that stands as template",
    source="ours",
    caveat="One kind has few sentences: a kind that reverses the sign may be chance.",
)

ROBUSTNESS = (
    RELIABILITY,
    KINDS_NEEDED,
    DIFFERENCE_COMPONENT,
    SCORE_COMPONENT,
    LEAVE_ONE_OUT,
    BY_KIND,
    RANK_AGREEMENT,
)
"""Of every run with scores by group and attribute, so on no probe's card."""
