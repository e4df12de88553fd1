"""The card of the SODAPOP audit: its statistics, as pages and docs describe them."""

from dataclasses import replace

from plumbline.spec.basis import Basis
from plumbline.spec.card import PAIRED_DIFFERENCE, Card, Statistic
from plumbline.spec.finding_rules import FindingRule, FindingRules, Rank, Rows
from plumbline.spec.shared_statistics import ANSWERS_BY_CLASS
from plumbline.spec.verdicts import Scale

_PAPER = "An et al. 2023 (SODAPOP)"
FEW = "few successes"
"""The category of words that misled too seldom, with names of either group, to compare the groups."""
FEWEST_SUCCESSES = 5

CHANGE = replace(
    PAIRED_DIFFERENCE,
    unit="fraction",
    sentence="How much the success rate of a group with a word changed from the other run to this one.",
    equation="mean over names n of (SR(w, n) in this run - SR(w, n) in the other run)",
    scale=Scale.RATE,
)
CARD = Card(
    probe="sodapop",
    version="1",
    title="Discovery from answers about people",
    model_kinds=("multiple_choice", "masked", "causal", "remote"),
    tables=("distractor", "answer", "tally"),
    phases=("generating", "asking"),
    statistics=(
        Statistic(
            name="success_rate",
            unit="fraction",
            sentence="How often a wrong answer with the word misleads the model when people of the group are in it.",
            equation="mean over names n of SR(w, n) = wrong answers with w that were chosen / wrong answers with w",
            source=f"{_PAPER}, equation 1",
            caveat=(
                "Each name brings its own wrong answers, so it mixes the model that writes with the one that answers."
                " Wrong answers are paired at random, so the luck of the pairing is in it, too."
            ),
        ),
        Statistic(
            name="relative_difference",
            unit="fraction of the mean",
            sentence="How much more the word misleads the model about the first group than about the second one.",
            equation="RD(w, A, B) = (mean SR over A - mean SR over B) / (half of mean SR over A + mean SR over B)",
            source=f"{_PAPER}, equations 2-5",
            caveat=(
                "A small p says that these names differ, not why: length and frequency of names differ between groups,"
                " too; see the conditions matched and adjusted of the difference."
            ),
            scale=Scale.RELATIVE,
        ),
        Statistic(
            name="success_rate_difference",
            unit="fraction",
            sentence="The difference of the two groups' success rates with a word.",
            equation="d(w, A, B) = mean over A of SR(w, n) - mean over B of SR(w, n)",
            source=f"{_PAPER}, equation 2",
            caveat=(
                "Matched compares names of equally many subwords and like frequency; adjusted holds both fixed by"
                " regression. Neither controls for other differences of the names."
            ),
            scale=Scale.RATE,
        ),
        Statistic(
            name="kmeans_accuracy",
            title="K-means accuracy",
            unit="fraction",
            sentence="How well two clusters of the names' success rates fall together with the two groups.",
            equation="max(a, 1 - a), a = names in the cluster that is taken for their group / names",
            source=f"{_PAPER}, Tables 2 and 9",
            caveat=(
                "Chance is not 0.5: compare it with the condition chance. It moves with the restarts, as the lowest and"
                " the highest show."
            ),
            scale=Scale.RATE,
        ),
        Statistic(
            name="success_rate_projection",
            unit="map units",
            sentence="The place of a name on a map that keeps names with similar success rates together.",
            equation="t-SNE of the vectors SR(., n), in two dimensions (conditions x and y)",
            source=f"{_PAPER}, Figure 4",
            caveat="Distances between clusters, their sizes and the axes mean nothing; another seed draws another map.",
        ),
        Statistic(
            name="distractor_words",
            unit="words",
            sentence="How many words occur in enough wrong answers to be measured.",
            equation="words with at least min_occurrences wrong answers (per name or in total), stop words left out",
            source=f"{_PAPER}, section 4.1",
            caveat="A word that is too rare was not tested, so it is not shown to be harmless.",
        ),
        ANSWERS_BY_CLASS,
    ),
    score="success_rate",
    difference="relative_difference",
    basis=Basis(
        asks="counts how often a wrong answer with the word misleads the model",
        prior="has no prior",
        words="takes the words of wrong answers that a model wrote",
        groups="uses first names of the group",
    ),
    findings=FindingRules(
        (
            FindingRule("relative_difference", Rows.WORDS, most=15, rank=Rank.EVIDENCE, category=""),
            FindingRule("kmeans_accuracy", most=5),
        )
    ),
    ours=(
        "p counts ties and the observed split and is never 0, the variant strict is the paper's; familywise p over the"
        " words of a pair of groups. Expected success: over all partners that a wrong answer could have had. Causal"
        " models choose by the likelihood of each option. Endpoints, and causal models that write, answer each question"
        " in text: its options have an order by chance, an answer that names no option counts as not asked, and"
        " expected success is not known."
        " K-means is run anew with other seeds, and chance is exact."
    ),
    item_unit="logit",
    compared=CHANGE,
    measured="which wrong answers a model falls for in these contexts, with these names",
)
