"""The card of perplexity: what a mitigation costs in plain language modelling."""

from dataclasses import replace

from plumbline.spec.card import PAIRED_DIFFERENCE, Card, Statistic
from plumbline.spec.finding_rules import FindingRules
from plumbline.spec.shared_statistics import SCORABLE_SHARE
from plumbline.spec.verdicts import Scale

_TEXTS = "It holds for texts like these. Models with different tokenizers have no comparable perplexities."
PSEUDO = Statistic(
    name="pseudo_perplexity",
    title="Pseudo-perplexity",
    unit="perplexity",
    sentence="How badly a masked model predicts one masked token of a text from all others; 1 is perfect.",
    equation="exp(-(1 / N) sum over all N tokens t of ln P(t | its text with t masked))",
    source="Salazar et al. 2020, Masked Language Model Scoring, section 3.4",
    caveat=f"Later subwords of a word are easy to guess from its first ones. {_TEXTS}",
)
PERPLEXITY = Statistic(
    name="perplexity",
    title="Perplexity",
    unit="perplexity",
    sentence="How badly a causal model predicts the next token of a text; 1 is perfect.",
    equation="exp(-(1 / N) sum over all N tokens t of ln P(t | tokens before it))",
    source="standard",
    caveat=_TEXTS,
)
TOP1 = Statistic(
    name="top1_accuracy",
    title="Top-1 accuracy on masked tokens",
    unit="fraction",
    sentence="How often the token that a masked model finds likeliest is the one that the text has.",
    equation="masked tokens whose likeliest prediction is right / all tokens",
    source="standard",
    caveat="Other predictions may fit the text as well.",
)
LOG_PERPLEXITY = "log perplexity"
"""How the change of the perplexity names its attribute; that of the accuracy has the statistic's own title."""
TOP1_CHANGE = "top-1 accuracy"
CHANGE = replace(
    PAIRED_DIFFERENCE,
    sentence="How much the log perplexity, or the top-1 accuracy, changed from the other run to this one.",
    equation="sum over texts of (figure in this run - figure in the other run) / number of their tokens",
    unit="natural log, or fraction",
    caveat="It holds for these texts. A model may lose what they do not test.",
    scale=Scale.COST,
)
CARD = Card(
    probe="perplexity",
    version="1",
    title="Perplexity of held-out texts",
    model_kinds=("masked", "causal"),
    tables=("text_likelihood",),
    phases=("scoring",),
    statistics=(PSEUDO, PERPLEXITY, TOP1, SCORABLE_SHARE),
    score="pseudo_perplexity",
    difference="pseudo_perplexity",
    findings=FindingRules(
        none_because="It says nothing about groups of people. A change of it is the cost of a mitigation, which the"
        " comparison of two runs shows."
    ),
    ours="The intervals over texts, the paired changes between two models, and their smallest effect of 2%.",
    measured="how well a model predicts these texts",
    compared=CHANGE,
)
