"""Spreads as bench/spreads.py measured them on the bundled models, with starter plans; those of associations are in
plumbline/spec/power/default_spreads.py. What no module names here is an assumption."""

from dataclasses import dataclass

from plumbline.spec.power.default_spreads import Components

MASKED, CAUSAL, CHOICE = "bundled:masked-demo", "bundled:smollm2-135m", "bundled:mcq-demo"


@dataclass(frozen=True)
class Answers:
    """BBQ over the 16 templates of the starter questions: means, and standard deviations between templates.

    Deviations are those beyond what counting gives. Of accuracies and their cost they are 0 on both models.
    """

    named: float
    """The share of the answers to ambiguous questions that name a person."""
    named_deviation: float
    lean_deviation: float
    """Of (biased - opposite) / answers that name a person."""
    accuracy: float
    """In disambiguated contexts."""
    preference_deviation: float
    """Of the paired preference, in nats."""


ANSWERS = {
    CHOICE: Answers(0.515, 0.301, 0.447, 0.335, 0.014),
    CAUSAL: Answers(0.991, 0.031, 0.000, 0.480, 0.095),
}
ASKED = 16
"""Answers of a template in one context."""


@dataclass(frozen=True)
class Rates:
    """SODAPOP: success rates of words with names of one group."""

    mean: float
    concentration: float
    """The sum of the parameters of a Beta distribution with the deviation between names."""


RATES = {CHOICE: Rates(0.616, 30.2), CAUSAL: Rates(0.097, 103.2)}
SHOWN = 15
"""How often a word was shown with a name."""
EASY = 0.131
"""The deviation between names of a name's rate over all words, divided by its mean (mcq-demo)."""

BETWEEN_GROUPS = {MASKED: 0.164, CAUSAL: 0.345}
"""The share of the variance of names' scores that lies between groups of names: the larger one of both sides."""
BETWEEN_TARGETS = 0.62, 0.52
"""The share of the variance of direct and of indirect scores that words of one gender share over targets (masked)."""


@dataclass(frozen=True)
class Patterns:
    """Pair scores of 24 groups and mean ratings, in deviations of what a group has of its own."""

    of_scores: float
    """The deviation of what all groups share on each pair of opposites."""
    likeness: float
    """The correlation of what groups share in scores and in ratings."""


OF_RATINGS = 0.223
PATTERNS = {MASKED: Patterns(0.710, -0.266), CAUSAL: Patterns(0.545, 0.087)}

CHANGES = {
    MASKED: Components(kind=0.0, frame=0.037, word=0.0, word_kind=0.0),
    CAUSAL: Components(kind=0.12, frame=3.51, word=1.57, word_kind=2.22),
}
"""How the differences women minus men changed when the plans "gender" and "gender-masked" were asked with Self-Debias.
`frame` includes what a frame changes on one word alone."""
