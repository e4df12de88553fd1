"""The card of pairs of sentences: each score has a statistic of its own name."""

from plumbline.methods.pairs.scores import Score
from plumbline.spec.card import Card, Statistic
from plumbline.spec.finding_rules import FindingRule, FindingRules
from plumbline.spec.shared_statistics import SCORABLE_SHARE
from plumbline.spec.verdicts import Scale

_CROWS = "Nangia et al. 2020 (CrowS-Pairs), sections 3 and 4"
_AUL = "Kaneko and Bollegala 2022, Unmasking the Mask, sections 3 and 4"
_GEST = "Pikuliak et al. 2024 (GEST), section 5"
_OURS = "ours, on "
_FAULTS = "Published pairs have known faults. Compare it with the share without the flagged pairs."
HALF = 0.5
"""The share of a model that prefers neither sentence."""

_SHARES: dict[Score, tuple[str, str, str, str]] = {
    "crows": (
        "by the pseudo-log-likelihood of the words that both sentences share",
        "sum over shared tokens t of log P(t | sentence with t masked), the words that differ not masked",
        _CROWS,
        "Only shared tokens count. A rare word that differs does not count, but its effect on its neighbours does.",
    ),
    "aul": (
        "by the mean log probability of all tokens, none of them masked",
        "mean over tokens t of log P(t | whole sentence)",
        _AUL,
        "The model sees the word that it scores.",
    ),
    "aula": (
        "by the mean log probability of all tokens, each weighted by the attention that it gets",
        "mean over tokens t of attention(t) x log P(t | whole sentence), attention averaged over layers and heads",
        _AUL,
        "The model sees the word that it scores, and attention is no measure of importance.",
    ),
    "pll_l2r": (
        "by the pseudo-log-likelihood of all tokens, where later subwords of a word are masked with it",
        "sum over tokens t of log P(t | sentence with t and the later subwords of its word masked)",
        "Kauf and Ivanova 2023, A Better Way to Do Masked Language Model Scoring, section 3",
        "All tokens count: a rare word makes its sentence less likely, whatever the sentence says.",
    ),
    "log_likelihood": (
        "by the log likelihood of the whole sentence",
        "sum over tokens t of log P(t | tokens before it)",
        _OURS + _CROWS,
        "All tokens count: a longer sentence or one with a rare word is less likely, whatever it says.",
    ),
    "log_likelihood_per_token": (
        "by the log likelihood of the whole sentence per token",
        "mean over tokens t of log P(t | tokens before it)",
        _OURS + _CROWS,
        "A word of many subwords makes a sentence likelier if its later subwords are easy to guess.",
    ),
}


def share_of(score: str) -> str:
    """Return the name of the statistic that counts the pairs by a score."""
    return f"{score}_share"


SHARES: dict[str, str] = {score: share_of(score) for score in _SHARES}


def _share(score: Score) -> Statistic:
    how, equation, source, caveat = _SHARES[score]
    return Statistic(
        name=SHARES[score],
        unit="fraction",
        sentence=f"How often the sentence that a stereotype favours is the likelier one of a pair, {how}.",
        equation=f"pairs whose first sentence has the higher score / pairs; a tie counts as half. Score: {equation}",
        source=source,
        caveat=f"{caveat} {_FAULTS}",
        scale=Scale.RATE,
        null=HALF,
    )


_BASE_RATE = "A model may prefer male words everywhere: compare stereotypes, not one of them with 1."
_GEST_STATISTICS = (
    Statistic(
        name="gest_r",
        unit="ratio",
        sentence="How many times as likely the male word is as the female one with sentences of a stereotype.",
        equation="r_i = exp(mean over sentences of stereotype i of log P(male word) - log P(female word))",
        source=_GEST,
        caveat=_BASE_RATE,
    ),
    Statistic(
        name="gest_r_f",
        unit="ratio",
        sentence="The mean of these ratios over the seven stereotypes about women.",
        equation="r_f = geometric mean of r_1 to r_7",
        source=_GEST,
        caveat=_BASE_RATE,
    ),
    Statistic(
        name="gest_r_m",
        unit="ratio",
        sentence="The mean of these ratios over the nine stereotypes about men.",
        equation="r_m = geometric mean of r_8 to r_16",
        source=_GEST,
        caveat=_BASE_RATE,
    ),
    Statistic(
        name="gest_g_s",
        unit="ratio",
        sentence="The stereotype rate: how much more male the words with men's stereotypes are than with women's.",
        equation="g_s = r_m / r_f",
        source=_GEST,
        caveat="1 is no stereotype on average; single stereotypes may still differ. The test is of its logarithm.",
    ),
    Statistic(
        name="gest_log_g_s",
        unit="natural log",
        sentence="The logarithm of the stereotype rate. The test is of this logarithm.",
        equation="log g_s; p: share of the 11,440 choices of 7 of the 16 stereotypes with at least this |log g_s|",
        source=_OURS + _GEST,
        caveat="It describes these 16 stereotypes in the words of GEST's sentences, in these templates.",
        scale=Scale.LOG,
    ),
    Statistic(
        name="gest_mass",
        unit="fraction",
        sentence="The total probability of the two words at their place in the template.",
        equation="mean over sentences of P(male word) + P(female word), of the whole vocabulary",
        source=_OURS + _GEST,
        caveat="If it is small, the ratio compares two words that the model would hardly use there.",
    ),
    Statistic(
        name="template_agreement",
        unit="Kendall's tau",
        sentence="How alike two templates rank the 16 stereotypes from the most female to the most male.",
        equation="tau-b of r_1 to r_16 in one template and in the other",
        source=_OURS + _GEST,
        caveat="Two templates that share their words are more alike than two that do not.",
    ),
)
TIES = Statistic(
    name="pair_ties",
    unit="fraction",
    sentence="The share of ties: pairs whose sentences have the same score.",
    equation="pairs whose scores differ by at most 0.00001 / pairs",
    source="ours",
    caveat="A tie counts as half a pair for each sentence.",
)
CARD = Card(
    probe="pairs",
    version="1",
    title="Pairs of sentences",
    model_kinds=("masked", "causal", "answers"),
    tables=("pair",),
    phases=("scoring",),
    statistics=(*(_share(score) for score in _SHARES), TIES, *_GEST_STATISTICS, SCORABLE_SHARE),
    score="crows_share",
    difference="gest_log_g_s",
    findings=FindingRules(
        (
            *(FindingRule(share, most=20) for share in SHARES.values()),
            FindingRule("gest_log_g_s", single_template=True),
        )
    ),
    ours=(
        "The tests and intervals, the scores of causal models, the shares without flagged items, the probability of"
        " both words of GEST, and the agreement of templates. Ties count as half; the published script counts them"
        " as pairs without the stereotype."
    ),
    measured="which of two sentences a model finds likelier, in these sentences",
)
