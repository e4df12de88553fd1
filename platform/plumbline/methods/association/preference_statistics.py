"""Statistics of attribute preference: how many attributes of a set lean to one target (Kurita et al. 2019)."""

from plumbline.spec.card import Statistic
from plumbline.spec.verdicts import Scale

_SOURCE = "Kurita et al. 2019, section 5, Table 5"
_SHIFT = "One shift of all words gives every set a high share: in the paper praise and blame both lean to he by 80%."

STATISTICS = (
    Statistic(
        name="attribute_preference",
        unit="fraction",
        sentence="The share of a set's attributes linked more strongly with the first target than with the second.",
        equation="mean over word families and kinds of sentence of the share with a log_probability_bias above 0;"
        " by words: attributes with a mean above 0 / attributes; by rows: their rows / rows",
        source=f"{_SOURCE} (by words); interval, test against one half and the variant by rows are ours",
        caveat=f"{_SHIFT} Compare it with the share of neutral words, the median, and another prior.",
        scale=Scale.RATE,
        null=0.5,
    ),
    Statistic(
        name="median_log_probability_bias",
        unit="natural log",
        sentence="How much more the middle attribute of a set raises the first target than the second.",
        equation="median over attributes of the mean log_probability_bias over targets and templates",
        source=f"ours, on {_SOURCE}",
        caveat=f"{_SHIFT} Where neutral words have the same median, the set shows nothing of its own.",
    ),
    Statistic(
        name="preference_over_neutral",
        title="Preference over neutral words",
        unit="fraction",
        sentence="How often an attribute of the set leans to the first target more than a neutral word does.",
        equation="share of pairs (attribute, neutral word) in which the attribute has the greater bias, ties as half",
        source=f"ours, on {_SOURCE}; Wilcoxon 1945",
        caveat="0.5: both lean alike. A shift that all words share falls away; the choice of the neutral words stays.",
    ),
)
