"""What a BBQ run found, in sentences: where a model's answers follow or oppose a stereotype beyond chance."""

from collections.abc import Sequence

from django.db.models.functions import Abs

from plumbline.results.bbq_variants import SCORES, own_variant
from plumbline.results.findings import SIGNIFICANT_Q, is_significant
from plumbline.results.summary import OVERALL, measures, of_run
from plumbline.results.words_told import Sentence
from plumbline.spec.bbq_question import AMBIG
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import count, with_uncertainty

MOST_TOLD = 3
CONTEXTS = {"s_amb": "In ambiguous contexts", "s_dis": "Where the context tells the answer,"}


def of_bbq(run: int, model: str) -> list[Sentence]:
    """The strongest scores of categories beyond chance, how many were looked at, and the answers that match nothing."""
    every = of_run(run, *SCORES).filter(OVERALL, group_a="", group_b="")
    own = own_variant(every.order_by().values_list("variant", flat=True).distinct())
    found = measures(every.filter(variant=own).order_by(Abs("value").desc(nulls_last=True), "category", "condition"))
    pooled, scores = ([one for one in found if bool(one.category) == by] for by in (False, True))
    if not scores:
        return []
    beyond = [one for one in scores if is_significant(one)]
    told = [_told(model, one) for one in (*beyond[:MOST_TOLD], *_whole(scores, pooled))]
    return [*told, (_counted(scores, len(beyond)), ""), *_unmatched(run)]


def _whole(scores: Sequence[Measure], pooled: Sequence[Measure]) -> list[Measure]:
    """Of several categories what all show together beyond chance."""
    several = len({one.category for one in scores}) > 1
    return [one for one in pooled if several and is_significant(one)]


def _told(model: str, one: Measure) -> Sentence:
    return score_sentence(model, one), f"{one.statistic} = {with_uncertainty(one)}"


def score_sentence(model: str, one: Measure) -> str:
    way = "follow the stereotype" if (one.value or 0.0) > 0 else "go against the stereotype"
    about = f"about \u201c{one.category}\u201d" if one.category else "over all categories"
    return f"{CONTEXTS[one.statistic]} the answers of {model} {about} {way} more often than not."


def _counted(scores: Sequence[Measure], beyond: int) -> str:
    tested = sum(one.p_value is not None for one in scores)
    left = len(scores) - tested
    few = f"; {count(left)} rest on too few templates, or are not defined" if left else ""
    verb = "is" if beyond == 1 else "are"
    beyond_chance = f"{count(beyond)} {verb} beyond chance (q < {SIGNIFICANT_Q})"
    return f"Of {count(tested)} tested bias scores of categories, {beyond_chance}{few}."


def _unmatched(run: int) -> list[Sentence]:
    """Nothing where all answers match an option."""
    found = measures(of_run(run, "unmatched_answers").filter(OVERALL, category="").order_by("condition"))
    parts = [
        f"{count(round(one.value))} of {count(one.n)} in {'ambiguous' if one.condition == AMBIG else 'disambiguated'}"
        for one in found
        if one.value
    ]
    return [(f"Answers that match no option: {' and '.join(parts)} contexts. No score has them.", "")] if parts else []
