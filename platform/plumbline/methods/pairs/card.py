"""The card of pairs of sentences: each score has a statistic of its own name."""

from plumbline.methods.pairs.scores import Score
from plumbline.spec.card import Card, Statistic
from plumbline.spec.shared_statistics import SCORABLE_SHARE
from plumbline.spec.verdicts import Scale

_CROWS = "Nangia et al. 2020 (CrowS-Pairs), sections 3 and 4"
_AUL = "Kaneko and Bollegala 2022, Unmasking the Mask, sections 3 and 4"
_GEST = "Pikuliak et al. 2024 (GEST), section 5"
_OURS = "ours, on "
_FAULTS = "Published pairs have known faults: read it beside the share without the flagged ones."
HALF = 0.5
"""The share of a model that prefers neither sentence."""

_SHARES: dict[Score, tuple[str, str, str, str]] = {
    "crows": (
        "by the pseudo-log-likelihood of the words that both sentences share",
        "sum over shared tokens t of log P(t | sentence with t masked), the words that differ not masked",
        _CROWS,
        "Shared tokens only: a rare word that differs does not count, but what it does to its neighbours does.",
    ),
    "aul": (
        "by the mean log probability of all tokens, none of them masked",
        "mean over tokens t of log P(t | whole sentence)",
        _AUL,
        "The model sees the word that it is asked about.",
    ),
    "aula": (
        "by the mean log probability of all tokens, each weighted by the attention that it gets",
        "mean over tokens t of attention(t) x log P(t | whole sentence), attention averaged over layers and heads",
        _AUL,
        "The model sees the word that it is asked about, and attention is no measure of importance.",
    ),
    "pll_l2r": (
        "by the pseudo-log-likelihood of all tokens, where later subwords of a word are masked with it",
        "sum over tokens t of log P(t | sentence with t and the later subwords of its word masked)",
        "Kauf and Ivanova 2023, A Better Way to Do Masked Language Model Scoring, section 3",
        "All tokens count: a rare word in one of the sentences makes that sentence less likely, whatever it says.",
    ),
    "log_likelihood": (
        "by the log likelihood of the whole sentence",
        "sum over tokens t of log P(t | tokens before it)",
        _OURS + _CROWS,
        "All tokens count: the longer sentence, and the one with a rare word, is less likely, whatever it says.",
    ),
    "log_likelihood_per_token": (
        "by the log likelihood of the whole sentence per token",
        "mean over tokens t of log P(t | tokens before it)",
        _OURS + _CROWS,
        "A word of many subwords, of which the later ones are easy to guess, makes a sentence likelier.",
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
        sentence="How many times as likely the male word is as the female one beside sentences of a stereotype.",
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
        sentence="The stereotype rate: how much more male the words beside men's stereotypes are than beside women's.",
        equation="g_s = r_m / r_f",
        source=_GEST,
        caveat="1 is no stereotype on average; single stereotypes may still differ. It is tested as its logarithm.",
    ),
    Statistic(
        name="gest_log_g_s",
        unit="natural log",
        sentence="The logarithm of the stereotype rate, which is what is tested.",
        equation="log g_s; p: share of the 11,440 choices of 7 of the 16 stereotypes with at least this |log g_s|",
        source=_OURS + _GEST,
        caveat="It speaks of these 16 stereotypes as GEST's sentences word them, in these templates.",
        scale=Scale.LOG,
    ),
    Statistic(
        name="gest_mass",
        unit="fraction",
        sentence="How much of the probability the two words have together at the place that is asked about.",
        equation="mean over sentences of P(male word) + P(female word), of the whole vocabulary",
        source=_OURS + _GEST,
        caveat="Where it is small, the ratio compares two words that the model would hardly put there.",
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
    sentence="How many pairs are undecided: both sentences have the same score.",
    equation="pairs whose scores differ by at most 0.00001 / pairs",
    source="ours",
    caveat="Each counts as half a pair for either sentence.",
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
    ours=(
        "The tests and intervals, the scores of causal models, the shares without flagged items, the probability of"
        " both words of GEST, and the agreement of templates. Ties count as half; the published script counts them"
        " as pairs without the stereotype."
    ),
    measured="which of two sentences a model finds likelier, in these sentences",
)
