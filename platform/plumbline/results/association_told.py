"""What a run of an association probe found beyond single words, in sentences: preference, and pairs of groups."""

from collections.abc import Iterator, Sequence

from django.db.models.functions import Abs

from plumbline.results.findings import is_present
from plumbline.results.prior_agreement import agreement_sentence, is_under_other, under_others
from plumbline.results.summary import OVERALL, PRESENT, measures, of_run, under_every_prior
from plumbline.results.words_told import Sentence
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import count, probability, with_uncertainty
from plumbline.spec.verdicts import Verdict

MOST_TOLD = 3
EVEN = 0.5
"""The share of no preference."""


def of_preference(run: int, model: str) -> list[Sentence]:
    """Of each set of words how much of it leans to one target, and whether other priors agree."""
    every = under_every_prior(run, "attribute_preference").filter(OVERALL, value__isnull=False)
    found = [one for one in measures(every.order_by("pk")) if "by " not in one.variant]
    return [told for one in found if not is_under_other(one) for told in _of_set(model, one, under_others(found, one))]


def _of_set(model: str, one: Measure, others: Sequence[Measure]) -> list[Sentence]:
    agreement = agreement_sentence(one, others, EVEN, _percent)
    return [(preference_sentence(model, one), _share(one)), *([(agreement, "")] if agreement else [])]


def preference_sentence(model: str, one: Measure) -> str:
    towards, other = (one.group_a, one.group_b) if (one.value or 0.0) >= 0.5 else (one.group_b, one.group_a)
    words = f"the words of {one.category}" if one.category else "the words"
    if one.verdict == Verdict.PRESENT:
        return f"{model} links most of {words} more strongly to {towards} than to {other}."
    if one.verdict == Verdict.ABSENT:
        half = f"about half of {words} more strongly to {one.group_a} and half to {one.group_b}"
        return f"{model} links {half}: the share is shown to be within {one.smallest_effect:g} of one half."
    if one.verdict == Verdict.NOT_TESTABLE:
        share = f"In these sentences {model} links {one.value:.0%} of {words} more strongly to {one.group_a}"
        return f"{share} than to {one.group_b}. They are too few to say more."
    return f"It is undecided whether {model} links most of {words} more strongly to {one.group_a} or to {one.group_b}."


def _share(one: Measure) -> str:
    return f"{one.group_a}: {_percent(one)}  n = {count(one.n)}  q = {probability(one.q_value)}"


def _percent(one: Measure) -> str:
    interval = f" [{one.ci_low:.0%}, {one.ci_high:.0%}]" if one.ci_low is not None and one.ci_high is not None else ""
    return f"{one.value:.0%}{interval}"


def of_intersections(run: int, model: str) -> list[Sentence]:
    return list(_intersections(run, model))


def _intersections(run: int, model: str) -> Iterator[Sentence]:
    order = of_run(run, "identity_order").filter(group_a="", category="nearer component", condition="model - chance")
    yield from ((nearer_sentence(one), with_uncertainty(one)) for one in measures(order) if one.value is not None)
    dominant = of_run(run, "domain_dominance").filter(PRESENT).order_by(Abs("value").desc(), "group_a", "group_b")
    yield from ((dominance_sentence(one), with_uncertainty(one)) for one in measures(dominant[:MOST_TOLD]))
    emergent = of_run(run, "emergent_trait").filter(PRESENT, condition="above").order_by("-value")
    for one in measures(emergent[:1]):
        sentence = (
            f"{model} links {one.group_a} with \u201c{one.attribute}\u201d more strongly than either of its components."
        )
        yield sentence, with_uncertainty(one)


def nearer_sentence(one: Measure) -> str:
    more = "more" if (one.value or 0) > 0 else "no more"
    chance = "" if is_present(one) else ", but that is not shown beyond chance"
    return (
        f"A pair's traits agree {more} with those of its nearer component than with those of the nearer of two groups"
        f" that are none of its components{chance}."
    )


def dominance_sentence(one: Measure) -> str:
    first, second = (one.group_a, one.group_b) if (one.value or 0) > 0 else (one.group_b, one.group_a)
    return f"Pairs of {first} and {second} take after their component of {first} more, over {one.n_units} groups."
