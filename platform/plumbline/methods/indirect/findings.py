"""Findings of an indirect audit: targets and features that a model links with the same first names."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Avg, Count, F, Q, QuerySet
from django.db.models.functions import Abs

from plumbline.audits.models import Run
from plumbline.findings.by_method import MethodFindings
from plumbline.findings.sentences import Sentence
from plumbline.methods.indirect.card import AGREEMENT, SCORE, SIGN, WITHIN, WITHOUT, WITHOUT_VARIANT
from plumbline.methods.indirect.left_out import left_out
from plumbline.results.summary import OVERALL, PRESENT, measures, of_run
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import compared, count, counted, probability, with_interval
from plumbline.spec.verdicts import Verdict

MOST_TOLD, MOST_LISTS = 3, 6
HOLDS = 0.95
"""The share of template pairs from which a sign counts as independent of wording."""

CONTINUED = (
    "A causal model predicts a word from the text before it alone. So both sides score what comes after the name,"
    " relative to its mean over all names. This estimator is the project's own. Do not compare its scores with a"
    " masked model's."
)
CHAINED = "Words of several tokens are scored by the chain rule, the project's own addition to the thesis."


UNGROUPED = (
    "No name of this list has a group. The tests reject only that names are exchangeable: gender, age or origin of the"
    " names may be all that links the words."
)


def of_links(run: int, model: str) -> list[Sentence]:
    """Return the strongest links within groups of names, the number of tests, and the conditions of the run.

    For a run of earlier rules, return only how it differs from the thesis.
    """
    within = of_run(run, WITHIN).exists()
    found = of_run(run, WITHIN if within else SCORE).filter(value__isnull=False).exclude(verdict="")
    if not found.exists():
        return list(_asked(run)) if of_run(run, SCORE).exists() else []
    strongest = measures(found.filter(PRESENT).order_by(Abs("value").desc(), "group_a", "attribute")[:MOST_TOLD])
    told = [(link_sentence(model, one), _figures(run, one)) for one in strongest]
    verdicts = _counted(found, "within groups of names" if within else "over first names")
    over_all = _over_all_names(run) if within else UNGROUPED
    return [*told, (verdicts, ""), (over_all, ""), *_asked(run), *_explained(run), *_stable(run), *_agreeing(run)]


def link_sentence(model: str, one: Measure) -> str:
    """Return the sentence for a present effect."""
    tend = "tend to be" if (one.value or 0) > 0 else "tend not to be"
    where = "Within groups of names, first" if one.statistic == WITHIN else "First"
    return (
        f"{where} names that {model} links with \u201c{one.group_a}\u201d {tend} those that it links with"
        f" \u201c{one.attribute}\u201d."
    )


def _counted(found: QuerySet[Any], where: str) -> str:
    numbers: dict[str, int] = dict.fromkeys(Verdict, 0)
    numbers |= dict(found.order_by().values_list("verdict").annotate(Count("id")))
    of = f"Of {counted(sum(numbers.values()), 'correlation')} of a target with a feature {where}"
    if numbers[Verdict.NOT_TESTABLE] == sum(numbers.values()):
        return f"{of} none could have been found with so few names."
    margin = found.order_by().values_list("smallest_effect", flat=True).first()
    absent = f", {count(numbers[Verdict.ABSENT])} to be smaller than {margin:g}" if margin else ""
    few = numbers[Verdict.NOT_TESTABLE]
    left = f", {count(few)} not testable" if few else ""
    present, undecided = _are(numbers[Verdict.PRESENT]), _are(numbers[Verdict.UNDECIDED])
    return f"{of}, {present} shown to differ from zero{absent}, {undecided} undecided{left}."


def _are(number: int) -> str:
    return f"{count(number)} {'is' if number == 1 else 'are'}"


def _over_all_names(run: int) -> str:
    sizes = [of_run(run, one).aggregate(size=Avg(Abs("value")))["size"] or 0.0 for one in (SCORE, WITHIN)]
    return (
        "The correlation r over all names includes what the groups of names share, so it has no verdict. Its mean size"
        f" is {sizes[0]:.2f}; within groups it is {sizes[1]:.2f}."
    )


def how_read(params: Mapping[str, Any]) -> list[str]:
    """Return what a reader must know about a run that does not follow the thesis."""
    if params.get("variant") == "causal":
        return [CONTINUED]
    return [CHAINED] if params.get("split") == "chain" else []


def _asked(run: int) -> Iterator[Sentence]:
    spec = Run.objects.filter(pk=run).values_list("spec", flat=True).first() or {}
    yield from ((sentence, "") for sentence in how_read(spec.get("params") or {}))


def _explained(run: int) -> Iterator[Sentence]:
    """Return the mean size of the scores among names that are alike in each sensitive set."""
    rows = of_run(run, WITHOUT).order_by().values("variant").annotate(size=Avg(Abs("value"))).order_by("variant")
    slugs = {row["variant"].partition(WITHOUT_VARIANT)[2]: row["size"] for row in rows if row["size"] is not None}
    before = of_run(run, SCORE).exclude(category__in=slugs).aggregate(size=Avg(Abs("value")))["size"] or 0.0
    for slug, size in slugs.items():
        yield (
            f"For neutral features the mean size of r over all names is {before:.2f}; among names that are alike in"
            f" {slug} it is {size:.2f}.",
            "",
        )


def _stable(run: int) -> Iterator[Sentence]:
    """Return how stable the signs of the scores are over single templates."""
    found = of_run(run, SIGN).filter(value__isnull=False)
    seen = found.aggregate(share=Avg("value"), every=Count("id"), holds=Count("id", filter=Q(value__gte=HOLDS)))
    if seen["every"]:
        yield (
            f"On average r has the sign that it has over all templates in {seen['share']:.0%} of the pairs of"
            " templates."
            f" For {count(seen['holds'])} of {count(seen['every'])} correlations it has this sign in {HOLDS:.0%} of the"
            " pairs or more.",
            "",
        )


def _agreeing(run: int) -> Iterator[Sentence]:
    """Return for each list whether the scores through names agree with the direct scores over targets."""
    rows = of_run(run, AGREEMENT).filter(OVERALL, group_b="", value__isnull=False).exclude(verdict="")
    for one in measures(rows.order_by(F("category").asc())[:MOST_LISTS]):
        features = f"features of {one.category}" if one.category else "the features"
        yield f"For {features}, {_agree(one)}.", _over_targets(one)


def _agree(one: Measure) -> str:
    if one.verdict == Verdict.PRESENT:
        sign = "positively" if (one.value or 0) > 0 else "negatively"
        return f"the scores through names correlate {sign} with the direct scores over targets"
    if one.verdict == Verdict.ABSENT:
        return (
            f"the correlation of the scores through names with the direct ones is shown to be smaller than"
            f" {one.smallest_effect:g}"
        )
    if one.verdict == Verdict.NOT_TESTABLE:
        return (
            f"{count(one.n_units)} targets are too few to test whether the scores through names correlate with the"
            " direct ones"
        )
    return "it is undecided whether the scores through names correlate with the direct ones"


def _over_targets(one: Measure) -> str:
    value = with_interval(one) if one.ci_low is not None else f"{one.value:+.2f}"
    return f"r = {value}  {count(one.n_units)} targets"


def _figures(run: int, one: Measure) -> str:
    value = with_interval(one) if one.ci_low is not None else f"{one.value:+.2f}"
    own = f"r = {value}  {count(one.n)} names  q {compared(probability(one.q_value))}"
    if one.statistic == SCORE:
        return own
    labels = {"group_a": one.group_a, "attribute": one.attribute, "category": one.category, "variant": one.variant}
    plain = of_run(run, SCORE).filter(**labels).values_list("value", flat=True).first()
    return own if plain is None else f"{own}  over all names r = {plain:+.2f}"


def finding_sentence(model: str, one: Measure) -> str:
    """Return the sentence of a present link. Without groups of names it also says what the test rejects."""
    told = link_sentence(model, one)
    return told if one.statistic == WITHIN else f"{told} {UNGROUPED}"


FINDINGS = MethodFindings(
    pages={"indirect": lambda run: of_links(run.pk, run.model)},
    left_out=left_out,
    writers=dict.fromkeys((WITHIN, SCORE), lambda run, one: finding_sentence(run.model, one)),
)
