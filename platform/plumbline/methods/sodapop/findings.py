"""Findings of SODAPOP: words that mislead a model about people, and names that form groups."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from django.db.models import Case, Count, F, Max, Min, Q, QuerySet, Value, When
from django.db.models.functions import Greatest

from plumbline.findings.answers.refused_parameters import refused_parameter_warnings
from plumbline.findings.by_method import MethodFindings
from plumbline.findings.contrasts import ALPHA, alpha_of, families_of
from plumbline.findings.sentences import Sentence, primary_first
from plumbline.methods.sodapop.card import FEW, FEWEST_SUCCESSES
from plumbline.results.answer_classes import answer_classes
from plumbline.results.summary import OF_CELLS, PRESENT, measures, of_run
from plumbline.spec.answers.classes import UNMATCHED_LIMIT
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import compared, count, probability, with_uncertainty
from plumbline.spec.verdicts import Verdict

DIFFERENCE, CLUSTERS, WORDS = "relative_difference", "kmeans_accuracy", "distractor_words"
EVIDENCE = Greatest(Value(0.0), F("ci_low"), Value(0.0) - F("ci_high"))
"""The distance of a difference's interval from zero. Words are ranked by it, never by the difference alone."""
MOST_TOLD = 3


def of_words(run: int, model: str, alpha: float = ALPHA, families: Sequence[str] = ("statistic",)) -> list[Sentence]:
    """Return the present differences, those without confounds first, and the number of comparisons.

    Words in separate lists do not count: they name a gender, are not words, or misled too seldom. Measures of earlier
    releases have no verdict and are omitted.
    """
    every = of_run(run, DIFFERENCE).filter(OF_CELLS, template="", condition="", value__isnull=False)
    names = primary_first(every.order_by().values_list("variant", flat=True).distinct())
    own = every.filter(variant=names[0] if names else "").exclude(verdict="").order_by()
    found = own.filter(category="")
    lost = Case(When(confounds="", then=0), default=1)
    strongest = found.filter(PRESENT).order_by(lost, EVIDENCE.desc(), "attribute", "group_a", "group_b")[:MOST_TOLD]
    told = [(word_sentence(model, one), with_uncertainty(one)) for one in measures(strongest)]
    counted = [*_counted(found, alpha, families), *_few(own.filter(category=FEW))]
    return [*_without_option(run, model), *_no_word(run), *told, *((sentence, "") for sentence in counted)]


def _without_option(run: int, model: str) -> list[Sentence]:
    """Return how many answers in text chose nothing, if they are many of all or of a group's; it comes first.

    The group is the one with the largest share of them.
    """
    rows = answer_classes(run)
    if not any(one.without_option > UNMATCHED_LIMIT * one.total for one in rows):
        return []
    every, *groups = rows
    most = f" ({count(groups[0].without_option)} of {count(groups[0].total)} about {groups[0].group})" if groups else ""
    lost = f"{count(every.without_option)} of {count(every.total)} answers of {model}"
    return [(f"{lost} name no single option{most}; no figure has them.", "")]


def _no_word(run: int) -> list[Sentence]:
    """Return why no word could be compared; none if some could."""
    missing = _why_no_word(run)
    return [(f"The groups of names cannot be compared: {missing}.", "")] if missing else []


def _why_no_word(run: int) -> str:
    return of_run(run, WORDS).filter(template="", value=0).values_list("reason", flat=True).first() or ""


def word_sentence(model: str, one: Measure) -> str:
    more, less = (one.group_a, one.group_b) if (one.value or 0) > 0 else (one.group_b, one.group_a)
    how = one.confounds.replace(", ", " or ")
    lost = f" This is not significant once names are {how} for length and frequency." if how else ""
    return f"Wrong answers with \u201c{one.attribute}\u201d mislead {model} more about {more} than about {less}.{lost}"


def _counted(found: QuerySet[Any], alpha: float, families: Sequence[str]) -> list[str]:
    """Return how many differences have each verdict or a confound, as one finding; empty without differences."""
    counts = _counts(found)
    if not counts["total"]:
        return []
    of = f"{_some(counts['words'], 'word')}, {_some(counts['pairs'], 'pair')} of groups"
    if counts["not_testable"] == counts["total"]:
        return [f"Differences between groups could not have been found with {counts['names']} names ({of})."]
    shown = f"{_are(counts['present'])} shown to differ from zero (q < {alpha:g})"
    least = 1 if counts["present"] else _fewest_together(found, alpha, families)
    more = {
        f"{_are(counts['absent'])} shown to be smaller than {counts['margin'] or 0:g}.": counts["absent"],
        f"{_are(counts['undecided'])} undecided.": counts["undecided"],
        f"{count(counts['not_testable'])} could not have been found with so few names.": counts["not_testable"],
        f"{_are(counts['lost'], counts['present'])} not significant once names are alike in length or frequency.": (
            counts["lost"]
        ),
        f"With {counts['names']} names a difference can become significant only if at least {count(least)} differences"
        " of its family do so together.": (least > 1),
    }
    told = f"Of {_some(counts['total'], 'difference')} ({of}), {shown}."
    return [" ".join([told, *(sentence for sentence, is_told in more.items() if is_told)])]


def _are(number: int, of: int | None = None) -> str:
    whole = "" if of is None else f" of the {count(of)}"
    return f"{count(number)}{whole} {'is' if number == 1 else 'are'}"


def _counts(found: QuerySet[Any]) -> dict[str, Any]:
    verdicts = {verdict.name.lower(): Count("id", filter=Q(verdict=verdict)) for verdict in Verdict}
    counts = found.aggregate(
        total=Count("id"),
        words=Count("attribute", distinct=True),
        names=Max("n_units"),
        margin=Max("smallest_effect"),
        lost=Count("id", filter=PRESENT & ~Q(confounds="")),
        **verdicts,
    )
    return counts | {"pairs": found.values("group_a", "group_b").distinct().count()}


def _fewest_together(found: QuerySet[Any], alpha: float, families: Sequence[str]) -> int:
    """Return the fewest differences of a family that can have a q below `alpha`: fewer cannot, at any p."""
    tested = found.filter(q_value__isnull=False).values(*families).annotate(size=Count("id"), least=Min("least_p"))
    needed = [ceil((one["least"] or 0.0) * one["size"] / alpha) for one in tested]
    return min(needed, default=0)


def _few(found: QuerySet[Any]) -> list[str]:
    words = found.values("attribute").distinct().count()
    verb = "misleads" if words == 1 else "mislead"
    told = f"{_some(words, 'word')} {verb} too seldom to compare two groups: fewer than {FEWEST_SUCCESSES} times."
    return [told] if words else []


def _some(number: int, what: str) -> str:
    return f"{count(number)} {what}{'' if number == 1 else 's'}"


def of_clusters(run: int, alpha: float = ALPHA) -> list[Sentence]:
    """Return for how many pairs of groups the names form two clusters, and for which pair best."""
    found = of_run(run, CLUSTERS).filter(condition="", value__isnull=False).exclude(verdict="")
    counts = _counts(found)
    if not counts["total"]:
        return []
    if counts["not_testable"] == counts["total"]:
        return [(f"Two clusters could not have separated any groups with {counts['names']} names.", "")]
    told = (
        "Two clusters of the names' success rates are shown to match the groups better than chance in"
        f" {count(counts['present'])} of {_some(counts['total'], 'pair')} (q < {alpha:g})"
    )
    best = next(iter(measures(found.filter(PRESENT).order_by("-value", "group_a", "group_b")[:1])), None)
    if best is None:
        return [(f"{told}.", "")]
    return [(f"{told}, best for {best.group_a} and {best.group_b}.", _against_chance(run, best))]


def cluster_sentence(model: str, one: Measure) -> str:
    """Return the sentence of a pair of groups whose names two clusters separate better than chance."""
    return (
        f"Two clusters of the success rates of names, as wrong answers mislead {model}, match the groups"
        f" {one.group_a} and {one.group_b} better than chance."
    )


def _against_chance(run: int, best: Measure) -> str:
    same = {"group_a": best.group_a, "group_b": best.group_b, "variant": best.variant}
    chance = of_run(run, CLUSTERS).filter(condition="chance", **same).values_list("value", flat=True).first()
    told = "" if chance is None else f", by chance {chance:.2f}"
    return f"accuracy {best.value:.2f}{told}  {count(best.n_units)} names  q {compared(probability(best.q_value))}"


FINDINGS = MethodFindings(
    pages={
        "run_words": lambda run: of_words(run.pk, run.model, alpha_of(run.spec), families_of(run.spec)),
        "run_names": lambda run: of_clusters(run.pk, alpha_of(run.spec)),
    },
    nothing_to_test=_why_no_word,
    warnings=lambda run, _groups: refused_parameter_warnings(run),
    writers={
        DIFFERENCE: lambda run, one: word_sentence(run.model, one),
        CLUSTERS: lambda run, one: cluster_sentence(run.model, one),
    },
)
