"""Statistics that the cards of several methods share."""

from plumbline.spec.answers.classes import BY_CLASS
from plumbline.spec.card import OF_THE_SCORE, Statistic
from plumbline.spec.verdicts import Scale


def centred(difference: str, source: str) -> Statistic:
    """Return the statistic of a difference relative to the mean of its list (ours)."""
    return Statistic(
        name=f"{difference}_centred",
        unit="natural log",
        sentence="How much more the attribute is linked with the first group than the average word of its list is.",
        equation=f"{difference} minus its mean over the attributes of the list, template by template",
        source=f"ours, on {source}",
        caveat="It compares words of one list with each other: it cannot show whether the whole list leans to a group.",
        scale=Scale.LOG,
    )


SCORABLE_SHARE = Statistic(
    name="scorable_share",
    unit="fraction",
    sentence="The share of a group's items that could be scored.",
    equation="scorable items / items",
    source="ours",
    caveat="Where the groups' shares differ, comparisons between them use different items.",
)


ANSWERS_BY_CLASS = Statistic(
    name=BY_CLASS,
    title="Answers in text by class",
    unit="answers",
    sentence="How many answers in text name an option, name several, are refusals or are cut off.",
    equation="number of answers of the class; n: all answers about the group",
    source="ours",
    caveat="Where a class is more frequent for one group, scores use a selection of the answers about it.",
)

ALIKE_FRAMES = Statistic(
    name="alike_frames",
    unit="correlation",
    sentence="How alike the frames of a cluster are that behave as one kind of sentence, though nobody gave them one.",
    equation="mean correlation of the cluster's frames over words, of differences without each word's mean over frames",
    source="ours",
    caveat="Frames are compared with each other: if all of them are alike, none differs from the rest.",
)


NOT_SCORABLE = Statistic(
    name="not_scorable",
    unit="items",
    sentence="How many items could not be scored, by the reason; without a group, the items of all groups.",
    equation="items of a group that share a reason",
    source="ours",
    caveat="A word that a model cannot spell says something of its tokenizer, and nothing of what it associates.",
)
"""A count over the records of every method that scores single items, so it is on no probe's card."""


ACCURACY = Statistic(
    name="accuracy",
    unit="fraction",
    sentence="How often the answer is right.",
    equation="right answers / answers",
    source="Parrish et al. 2022 (BBQ), section 5; for pronouns ours",
    caveat=(
        "Compare it with always giving one answer: an accuracy near that has learnt nothing. In BBQ a"
        " model that always says UNKNOWN is right in every ambiguous context."
    ),
)


EFFECT_SIZE = Statistic(
    name="effect_size",
    unit="standard deviations",
    sentence="How much more the words of one set are linked with the first of two opposites than those of another.",
    equation="(mean over X of s - mean over Y of s) / standard deviation over X and Y of s, n - 1 in its divisor",
    source="Caliskan et al. 2017; Kurita et al. 2019, section 3",
    caveat="A large effect size of small sets may be chance: read it with its p-value.",
    scale=Scale.STANDARDISED,
)
"""In WEAT, s is a target's difference of mean cosines.

Over log probability bias scores, it is an attribute's mean score.
"""


INCREASED_LOG_PROBABILITY = Statistic(
    name="increased_log_probability",
    unit="natural log",
    sentence="How much the attribute raises the log probability of the target in the same sentence.",
    equation="log p_target - log p_prior",
    source="Kurita et al. 2019, section 2, steps 2 to 4",
    caveat="It depends on the templates; a target that splits is represented by its first subword.",
    scale=Scale.LOG,
)


LOG_PROBABILITY_BIAS = Statistic(
    name="log_probability_bias",
    unit="natural log",
    sentence="How much more the attribute raises the first target than the second.",
    equation="(log p_target,a - log p_prior,a) - (log p_target,b - log p_prior,b)",
    source="Kurita et al. 2019, section 2",
    caveat="A value near zero is no proof of fairness; other templates and targets may show a bias.",
    scale=Scale.LOG,
)


PAIR_SCORE = Statistic(
    name="pair_score",
    unit=OF_THE_SCORE,
    sentence="How much more a group is linked with the right pole of a pair of opposites than with the left one.",
    equation="mean over kinds of sentence of score(group, right) - score(group, left)",
    source='Cao et al. 2022, section 3.2, "Traits"',
    caveat="Compare one pair between groups. Do not compare one pair with another: the prior of each word stays in it.",
    scale=Scale.LOG,
)

PAIR_SCORE_AVERAGED = Statistic(
    name="pair_score_averaged",
    unit=OF_THE_SCORE,
    sentence="The pair score with each pole averaged over its adjective and the adjectives beside it.",
    equation="mean score(group, right and its extra adjectives) - mean score(group, left and its extra adjectives)",
    source="Cao et al. 2022, footnote 4 and Table A7",
    caveat="Words that could not be scored are left out of the mean of their pole. The paper found no better agreement"
    " with people. It is a figure beside the pair score, without a verdict.",
)
