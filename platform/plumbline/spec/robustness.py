"""Statistics of the robustness of an association run: other priors and other sentences."""

from plumbline.spec.card import Statistic

RELIABLE = 0.7
"""The reliability below which a ranking is drawn as bands."""
POOLED = "the mean over the run's contrasts is in a row without groups"

RANK_AGREEMENT = Statistic(
    name="prior_rank_agreement",
    title="Same order of words under another prior",
    unit="correlation",
    sentence="How similarly two priors rank a group's words: 1 is the same order, 0 is unrelated.",
    equation="Kendall's tau-b of a group's mean scores under the spec's prior and under that of the variant",
    source="ours; Kendall 1945",
    caveat="It says how much the choice of the prior decides a ranking, not which prior is right.",
)
"""The run has one row for each group, and their mean in a row without a group."""

RELIABILITY = Statistic(
    name="split_half_reliability",
    title="Split-half reliability",
    unit="fraction",
    sentence="How well as many other kinds of sentence would reproduce the order of the words: 1 fully, 0 not.",
    equation="2r / (1 + r), r the mean correlation of the words' means in two random halves of the kinds",
    source="Spearman 1910; Brown 1910",
    caveat=f"It is about the order of these words. Below {RELIABLE} ranks say little. A reliable order can be wrong.",
)
KINDS_NEEDED = Statistic(
    name="kinds_needed",
    title="Kinds of sentence needed for a reliability of 0.8",
    unit="kinds of sentence",
    sentence="How many kinds of sentence would give the order of the words a reliability of 0.8.",
    equation="kinds * 4 * (1 - reliability) / reliability",
    source="Spearman 1910; Brown 1910",
    caveat="It holds for kinds that differ as much as those of the run.",
)
"""In both names `condition` gives the ranked statistic: a difference, a group's score or its pair scores."""

SCORE_COMPONENT = Statistic(
    name="variance_component",
    title="Variance components of the scores",
    unit="squared unit of the score",
    sentence="How much of the scores' variance comes from groups, words, kinds of sentence, frames and interactions.",
    equation="mean squares of the crossed table of groups, words and kinds, solved for the components; at least 0",
    source="Brennan 2001, Generalizability Theory, chapters 3 and 4",
    caveat="Words and groups with an item that cannot be scored are left out of it.",
)
DIFFERENCE_COMPONENT = Statistic(
    name="difference_variance_component",
    title="Variance components of the differences",
    unit="squared unit of the score",
    sentence="How much of the variance of a difference between groups comes from words, kinds of sentence and frames.",
    equation=f"the same of the differences, template by template; {POOLED}",
    source="Brennan 2001, Generalizability Theory, chapters 3 and 4",
    caveat="Words with an item that cannot be scored are left out of it.",
)
"""In both names `condition` gives the source of variance."""

LEAVE_ONE_OUT = Statistic(
    name="leave_one_kind_out",
    title="Range without one kind of sentence",
    unit="the score's own",
    sentence="The range of a difference when any one kind of sentence is left out.",
    equation="least and greatest mean over all kinds but one",
    source="ours",
    caveat="The two limits are a range, not a confidence interval.",
)
BY_KIND = Statistic(
    name="difference_by_kind",
    title="Difference by kind of sentence",
    unit="the score's own",
    sentence="The mean difference over the words of a list in one kind of sentence.",
    equation="mean over word families of the difference in the kind given as template",
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
"""Statistics of every run with scores by group and attribute, so they are on no probe's card."""
