"""What an indirect audit found, in sentences: targets and features that a model ties to the same first names."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Avg, Count, F, Q
from django.db.models.functions import Abs

from plumbline.audits.models import Run
from plumbline.results.findings import SIGNIFICANT_Q
from plumbline.results.left_out import LeftOut
from plumbline.results.summary import OVERALL, SIGNIFICANT, measures, of_run
from plumbline.results.words_told import Sentence
from plumbline.spec.indirect_card import AGREEMENT, CENTRED, SCORE, SIGN, WITHOUT, WITHOUT_VARIANT
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import count, probability, with_interval

MOST_TOLD, MOST_LISTS, WORDS_TOLD = 3, 6, 5
HOLDS = 0.95
"""Of the pairs of templates: a sign that is the same in so many hangs on no wording."""

CONTINUED = (
    "A causal model predicts from the text before a word alone: both sides score what comes after the name, relative to"
    " its mean over all names. This estimator is the project's own, and its scores are no match for a masked model's."
)
CHAINED = "Words of several tokens are scored by the chain rule, the project's own addition to the thesis."


def of_links(run: int, model: str) -> list[Sentence]:
    """The strongest once what all targets share is taken out, how many were looked at, and what they rest on."""
    found = of_run(run, CENTRED).filter(value__isnull=False)
    compared = found.count()
    if not compared:
        return []
    beyond = found.filter(SIGNIFICANT)
    strongest = measures(beyond.order_by(Abs("value").desc(), "group_a", "attribute")[:MOST_TOLD])
    told = [(link_sentence(model, one), _figures(one)) for one in strongest]
    counted = (
        f"Of {count(compared)} correlations of a target with a feature over first names, {count(beyond.count())} are"
        f" beyond chance (q < {SIGNIFICANT_Q}), the mean over the targets taken out."
    )
    return [*told, (counted, ""), *_asked(run), *_explained(run), *_stable(run), *_agreeing(run)]


def how_read(params: Mapping[str, Any]) -> list[str]:
    """What a reader must know of a run that was not asked in the thesis' way."""
    if params.get("variant") == "causal":
        return [CONTINUED]
    return [CHAINED] if params.get("split") == "chain" else []


def _asked(run: int) -> Iterator[Sentence]:
    spec = Run.objects.filter(pk=run).values_list("spec", flat=True).first() or {}
    yield from ((sentence, "") for sentence in how_read(spec.get("params") or {}))


def _explained(run: int) -> Iterator[Sentence]:
    """How many of the scores are left among names that are alike in each sensitive set."""
    numbers = {"compared": Count("id", filter=Q(value__isnull=False)), "beyond": Count("id", filter=SIGNIFICANT)}
    rows = list(of_run(run, WITHOUT).order_by().values("variant").annotate(**numbers).order_by("variant"))
    slugs = [row["variant"].partition(WITHOUT_VARIANT)[2] for row in rows]
    before = of_run(run, SCORE).filter(SIGNIFICANT).exclude(category__in=slugs).count() if rows else 0
    for slug, row in zip(slugs, rows, strict=True):
        if row["compared"]:
            yield (
                f"Of the scores with neutral features {count(before)} are beyond chance; among names that are alike in"
                f" {slug}, {count(row['beyond'])} of {count(row['compared'])}.",
                "",
            )


def _stable(run: int) -> Iterator[Sentence]:
    """How much the direction of scores hangs on single sentences."""
    found = of_run(run, SIGN).filter(value__isnull=False)
    seen = found.aggregate(share=Avg("value"), every=Count("id"), holds=Count("id", filter=Q(value__gte=HOLDS)))
    if seen["every"]:
        yield (
            f"On average a correlation has the sign of its score in {seen['share']:.0%} of the pairs of templates;"
            f" {count(seen['holds'])} of {count(seen['every'])} scores keep it in {HOLDS:.0%} of them or more.",
            "",
        )


def _agreeing(run: int) -> Iterator[Sentence]:
    """Of each list whether the scores through names say of targets what the direct ones say."""
    rows = of_run(run, AGREEMENT).filter(OVERALL, group_b="", value__isnull=False)
    for one in measures(rows.order_by(F("category").asc())[:MOST_LISTS]):
        features = f"features of {one.category}" if one.category else "the features"
        yield f"With {features}, the scores through names {_agree(one)} the direct ones.", _over_targets(one)


def _agree(one: Measure) -> str:
    if one.ci_low is None or one.ci_high is None or one.ci_low <= 0 <= one.ci_high:
        return "say nothing sure of"
    return "go with" if (one.value or 0) > 0 else "go against"


def _over_targets(one: Measure) -> str:
    value = with_interval(one) if one.ci_low is not None else f"{one.value:+.2f}"
    return f"r = {value}  {count(one.n_units)} targets"


def left_out_sentence(one: LeftOut) -> str:
    """`72 of the 779 names have no score (Abbie, Ada and 70 more): split into 2 subwords, ...`."""
    some, more = one.words[:WORDS_TOLD], one.count - WORDS_TOLD
    listed = ", ".join(some) + (f" and {count(more)} more" if more > 0 else "")
    verb, which = "has" if one.count == 1 else "have", f" ({listed})" if some else ""
    return f"{count(one.count)} of the {count(one.of)} {one.kind} {verb} no score{which}: {one.reason}."


def link_sentence(model: str, one: Measure) -> str:
    same = "the same first names as" if (one.value or 0) > 0 else "other first names than"
    return f"{model} ties \u201c{one.group_a}\u201d to {same} \u201c{one.attribute}\u201d, compared with other targets."


def _figures(one: Measure) -> str:
    value = with_interval(one) if one.ci_low is not None else f"{one.value:+.2f}"
    return f"r = {value}  {count(one.n)} names  q = {probability(one.q_value)}"
