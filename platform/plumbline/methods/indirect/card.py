"""The card of the indirect audit: its statistics, as pages and docs describe them."""

from dataclasses import replace

from plumbline.spec.basis import Basis
from plumbline.spec.card import PAIRED_DIFFERENCE, Card, Statistic
from plumbline.spec.finding_rules import FindingRule, FindingRules, Rows
from plumbline.spec.verdicts import Scale

_THESIS = "indirect-bias thesis"
SCORE, BRIDGE_SHARE = "indirect_log_probability_bias", "bridge_share"
WITHIN = "within_group_correlation"
CENTRED, PARTIAL, WITHOUT = f"{SCORE}_centred", f"{SCORE}_partial", f"{SCORE}_without"
SIGN, DIRECT, AGREEMENT = "sign_stability", "direct_log_probability_bias", "direct_indirect_correlation"
WITHOUT_VARIANT = "without:"
"""The prefix of the variant of partial scores, before the slug of the excluded sensitive set."""

CARD = Card(
    probe="indirect",
    version="2",
    title="Indirect bias through first names",
    model_kinds=("masked", "causal"),
    tables=("bridge", "association"),
    phases=("scoring",),
    statistics=(
        Statistic(
            name=SCORE,
            title="Indirect log probability bias score",
            unit="Pearson's r",
            sentence="Whether the names that a model links with the target are those that it links with the feature.",
            equation="r over names b of BS1(T, b) and BS2(b, A); BS = log (mean p / mean prior p) over the templates",
            source=f"{_THESIS}, Algorithm 3.1",
            caveat=(
                "Any shared cause of both sides makes one, the names' groups (gender, race, decade) among them: a"
                " correlation does not say which. All targets share the names' prior, which alone correlates them."
                " A verdict is on it only where no name has a group, and then only against no shared cause at all."
            ),
            scale=Scale.CORRELATION,
        ),
        Statistic(
            name=WITHIN,
            title="Within groups of names",
            unit="Pearson's r",
            sentence="The score among the names of each group: what remains beyond the names' groups.",
            equation=(
                "r over names b of BS1(T, b) and BS2(b, A), both less their mean over the names of b's group; p from"
                " permuting names within groups"
            ),
            source=f"ours, on {_THESIS}",
            caveat=(
                "Groups are as a curator gave them; names without one are left out. Names of one group still differ in"
                " frequency, origin and more. So the score does not say what ties the two words. The verdict is about"
                " these groups. From seven groups on, the interval also covers other groups of names, so it can hold"
                " zero beside a verdict."
            ),
            scale=Scale.CORRELATION,
        ),
        Statistic(
            name=CENTRED,
            title="Beyond what all targets share",
            unit="Pearson's r",
            sentence="The score after the mean over all targets is subtracted from each name's score.",
            equation="r over names b of BS1(T, b) - mean over T of BS1(T, b) and BS2(b, A)",
            source=f"ours, on {_THESIS}",
            caveat="It compares the targets of one run: with other targets, the score changes. No verdict.",
        ),
        Statistic(
            name=PARTIAL,
            title="Among names alike in prior and subwords",
            unit="Pearson's r",
            sentence="The score among names alike in prior probability and number of subwords.",
            equation="partial r over names b of BS1(T, b) and BS2(b, A) without log prior(b) and subwords(b)",
            source=f"ours, on {_THESIS}",
            caveat="It controls only linearly for these two. Names differ in other ways, too. No verdict.",
        ),
        Statistic(
            name=WITHOUT,
            title="Without a sensitive attribute",
            unit="Pearson's r",
            sentence="The score among names that are alike in a sensitive attribute: what remains without it.",
            equation=(
                "partial r over names b of BS1(T, b) and BS2(b, A) without the leading principal components of"
                " BS2(b, s) over the sensitive words s: 95% of their variance, at most 10 and a twentieth of the names"
            ),
            source=f"ours, on {_THESIS}, section 4.3",
            caveat=(
                "Only what is linear in the chosen words is taken out, and words of another attribute that go with them"
                " are taken out as well: it tells how much they can explain, not what causes it. No verdict."
            ),
        ),
        Statistic(
            name=SIGN,
            title="Same sign over pairs of templates",
            unit="fraction",
            sentence="In how many pairs of templates, one of each side, the correlation has the sign of the score.",
            equation="pairs (i, j) with sign r(BS1 in template i, BS2 in template j) = sign r / pairs",
            source="ours",
            caveat="Templates that differ in a word or two agree more easily than independent ones would.",
        ),
        Statistic(
            name=DIRECT,
            title="Direct log probability bias score",
            unit="natural log",
            sentence="How much likelier the feature becomes if the same sentence contains the target.",
            equation="log (mean P(A | T) / mean P(A | mask)) over the templates",
            source=f"Kurita et al. 2019, section 2; {_THESIS}, section 3.4",
            caveat="It depends on the chosen templates, and a mask covers more words than the targets.",
        ),
        Statistic(
            name=AGREEMENT,
            title="Direct against indirect scores",
            unit="Pearson's r",
            sentence="Whether the scores through names say of targets what the direct scores say.",
            equation=(
                "r over targets T of the direct and the indirect score with a word, with the mean over a group's words,"
                " or over all pairs of T and A of a list"
            ),
            source=f"{_THESIS}, Table 3.5",
            caveat="Both scores come from one model: where they agree, both may be wrong about the world.",
            scale=Scale.CORRELATION,
        ),
        Statistic(
            name=BRIDGE_SHARE,
            unit="fraction",
            sentence="How many of the names, and of the features, have the scores that a correlation needs.",
            equation="names with a score on both sides / names; features with a score with each of these / features",
            source="ours",
            caveat="One mask is one token: names and features that a model splits are left out, rare ones most of all.",
        ),
    ),
    score=SCORE,
    difference=SCORE,
    basis=Basis(
        asks="correlates, over first names, how strongly a name goes with each of two words",
        prior="subtracts what each sentence gives without its target or without the name",
        words="leaves out words of several tokens, unless its plan chooses the chain rule",
        groups="never has the group and the word in one sentence",
        is_signed=True,
        either_side=True,
    ),
    findings=FindingRules(
        (
            FindingRule(WITHIN, Rows.WORDS, most=15),
            # Of names without groups the score itself is tested, and its sentence says what the test rejects.
            FindingRule(SCORE, Rows.WORDS, most=15, unless=WITHIN),
        )
    ),
    ours=(
        "Causal models (variant causal): both sides score the word after the name, BS = log p - log of the mean of p"
        " over the names (direct: over the targets), no measure to hold against masked models; there the partial score"
        " holds the names' subwords alone. Words of several tokens by the chain rule (variant split chain)."
        " The correlation within groups, the centred and the partial scores, and the stability of the sign. Intervals"
        " resample names: within their groups, from seven groups on groups and then names; for the correlation within"
        " groups whole groups; for direct scores templates (from 8 on), for the agreement of both targets. Verdicts are"
        " on the correlation within groups (on the score where no name has a group), on the agreement and on changes;"
        " each list of features is a family."
    ),
    item_unit="natural log",
    measured="which targets and features a model ties to the same first names",
    compared=replace(
        PAIRED_DIFFERENCE,
        unit="Pearson's r",
        sentence="How much the score of a target with a feature changed from the run before to this one.",
        equation=f"{SCORE} in this run - {SCORE} in the other run, both over the names that both have scores of",
        scale=Scale.CORRELATION,
    ),
)
