"""Findings on whether most words of a set lean to one target."""

from collections.abc import Sequence

from plumbline.findings.contrasts import too_few_sentence
from plumbline.findings.prior_agreement import agreement_sentence, under_others
from plumbline.findings.sentences import Sentence
from plumbline.results.summary import OVERALL, measures, under_every_prior
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import compared, probability, sample
from plumbline.spec.prior import is_under_other
from plumbline.spec.verdicts import Verdict

MOST_TOLD = 3
SHARE, OVER_NEUTRAL = "attribute_preference", "preference_over_neutral"
OVER_KINDS = "on average over word families and kinds of sentence"
EVEN = 0.5
"""The share without a preference."""


def of_preference(run: int, model: str) -> list[Sentence]:
    """Return for each set of words the share that leans to one target, neutral words beside it, and other priors.

    Measures of earlier rules have no verdict and give no sentence.
    """
    every = under_every_prior(run, SHARE, OVER_NEUTRAL).filter(OVERALL, value__isnull=False)
    found = [one for one in measures(every.order_by("pk")) if "by " not in one.variant]
    judged = [one for one in found if one.statistic == SHARE and one.verdict]
    own = [one for one in found if not is_under_other(one)]
    beside = {one.category.rpartition(" - ")[0]: one for one in own if one.statistic == OVER_NEUTRAL}
    return [
        told
        for one in judged
        if not is_under_other(one)
        for told in _of_set(model, one, under_others(judged, one), beside.get(one.category))
    ]


def _of_set(model: str, one: Measure, others: Sequence[Measure], neutral: Measure | None) -> list[Sentence]:
    agreement = agreement_sentence(one, others, EVEN, _percent)
    return [
        (preference_sentence(model, one), _share(one)),
        *([(agreement, "")] if agreement else []),
        *([(neutral_sentence(neutral), f"{_percent(neutral)}  {sample(neutral)}")] if neutral else []),
    ]


def neutral_sentence(one: Measure) -> str:
    """Return how often a word leans more to the first target than a neutral word. It has no verdict."""
    words, _, neutral = one.category.rpartition(" - ")
    return (
        f"Beside neutral words: a word of {words} leans more to {one.group_a} than a word of {neutral} in"
        f" {one.value:.0%} of such pairs; 50% means alike."
    )


def preference_sentence(model: str, one: Measure) -> str:
    """Return the sentence of a share that is a mean over kinds of sentence: it is no count of the list's words."""
    towards, other = (one.group_a, one.group_b) if (one.value or 0.0) >= 0.5 else (one.group_b, one.group_a)
    words = one.category or "the list"
    if one.verdict == Verdict.PRESENT:
        return f"{model} links most of {words} more strongly to {towards} than to {other}, {OVER_KINDS}."
    if one.verdict == Verdict.ABSENT:
        half = f"about half of {words} more strongly to {one.group_a} and half to {one.group_b}, {OVER_KINDS}"
        return f"{model} links {half}: the share is shown to be within {one.smallest_effect:g} of one half."
    if one.verdict == Verdict.NOT_TESTABLE:
        share = f"In these sentences {model} links {one.value:.0%} of {words} more strongly to {one.group_a}"
        return f"{share} than to {one.group_b}, {OVER_KINDS}. {too_few_sentence(one)}"
    which = f"most of {words} more strongly to {one.group_a} or to {one.group_b}"
    return f"It is undecided whether {model} links {which}, {OVER_KINDS}."


def _share(one: Measure) -> str:
    q = "" if one.q_value is None else f"  q {compared(probability(one.q_value))}"
    return f"{one.group_a}: {_percent(one)}  {sample(one)}{q}"


def _percent(one: Measure) -> str:
    interval = f" [{one.ci_low:.0%}, {one.ci_high:.0%}]" if one.ci_low is not None and one.ci_high is not None else ""
    return f"{one.value:.0%}{interval}"
