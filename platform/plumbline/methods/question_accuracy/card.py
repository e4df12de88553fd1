"""The card of the accuracy on multiple-choice questions: what a mitigation costs in a task that is no bias test."""

from dataclasses import replace

from plumbline.spec.card import PAIRED_DIFFERENCE, Card
from plumbline.spec.finding_rules import FindingRules
from plumbline.spec.shared_statistics import ACCURACY, SCORABLE_SHARE
from plumbline.spec.verdicts import Scale

CHANGED_ACCURACY = "accuracy"
"""How the change from one run to another names its attribute."""
CHANCE, LONGEST = "chance", "longest answer"
"""Conditions of the accuracy: that of guessing, and that of always taking the longest answer."""
CHANGE = replace(
    PAIRED_DIFFERENCE,
    sentence="How much the accuracy changed from the other run to this one.",
    equation="mean over questions of (right in this run - right in the other run), question by question",
    unit="fraction",
    caveat="It holds for questions like these. A model may lose what they do not ask.",
    scale=Scale.COST,
)
CARD = Card(
    probe="question_accuracy",
    version="1",
    title="Accuracy on multiple-choice questions",
    model_kinds=("multiple_choice", "causal"),
    tables=("choice",),
    phases=("answering",),
    statistics=(ACCURACY, SCORABLE_SHARE),
    score="accuracy",
    difference="accuracy",
    findings=FindingRules(
        none_because="It says nothing about groups of people. A change of it is the cost of a mitigation, which the"
        " comparison of two runs shows."
    ),
    item_unit="logit, or natural log",
    ours="The intervals over contexts, the paired change between two models, and its smallest effect of 0.02.",
    measured="how often a model chooses the right answer to these questions",
    compared=CHANGE,
)
