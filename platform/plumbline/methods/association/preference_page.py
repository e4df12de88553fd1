"""The page of attribute preference: how many words of a set lean to one target, and do all words share the shift?"""

from dataclasses import dataclass, field

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.findings.prior_agreement import prior_title, under_others
from plumbline.methods.association.preference_statistics import STATISTICS
from plumbline.pages.measure_file import measure_file, measure_rows
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.results.summary import measures, under_every_prior
from plumbline.spec.measure import Measure
from plumbline.spec.prior import is_under_other

NAMES = tuple(one.name for one in STATISTICS)
BY_WORDS, BY_ROWS = "by words", "by rows"


@dataclass(slots=True)
class Set:
    """One set of words: its share over words and over rows, its median, and its comparison with neutral words."""

    category: str
    share: Measure | None = None
    by_words: Measure | None = None
    """The share as the paper counts it: each word once, by its mean over targets and templates."""
    by_rows: Measure | None = None
    median: Measure | None = None
    over_neutral: Measure | None = None
    neutral: bool = False
    under_others: list[Measure] = field(default_factory=list)
    """The share under other priors."""
    medians_under_others: list[Measure] = field(default_factory=list)

    @property
    def priors(self) -> list[tuple[str, Measure, Measure | None]]:
        """The share and the median under each other prior, with its title."""
        medians = {prior_title(one): one for one in self.medians_under_others}
        return [(prior_title(one), one, medians.get(prior_title(one))) for one in self.under_others]


@require_safe
@viewers_only
def run_preference(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "preference")
    run: Run = context["run"]
    found = _found(run)
    sets = sets_of(found)
    context |= {
        "priors": list(dict.fromkeys(title for one in sets for title, *_ in one.priors)),
        "statistics": {one.name: one for one in STATISTICS},
        "sets": sets,
        "targets": (found[0].group_a, found[0].group_b) if found else None,
        "any_rows": any(one.by_rows for one in sets),
        "any_neutral": any(one.neutral for one in sets),
    }
    return render(request, "association/preference.html", context)


@require_safe
@viewers_only
def run_preference_csv(request: HttpRequest, number: int) -> HttpResponse:
    run: Run = run_context(request, number, "preference")["run"]
    return measure_file(run, "preference", measure_rows(_found(run)), STATISTICS)


def _found(run: Run) -> list[Measure]:
    return measures(under_every_prior(run.pk, *NAMES).order_by("pk"))


def sets_of(found: list[Measure]) -> list[Set]:
    """Return one set for each category, neutral words last. "SET - NEUTRAL" names the neutral set that a set is
    compared with.
    """
    sets: dict[str, Set] = {}
    own = [one for one in found if not is_under_other(one)]
    for one in own:
        if one.statistic == "attribute_preference":
            row = sets.setdefault(one.category, Set(one.category))
            if BY_ROWS in one.variant.split(", "):
                row.by_rows = one
            elif BY_WORDS in one.variant.split(", "):
                row.by_words = one
            else:
                row.share = one
        elif one.statistic == "median_log_probability_bias":
            sets.setdefault(one.category, Set(one.category)).median = one
    for one in own:
        category, _, neutral = one.category.rpartition(" - ")
        if one.statistic == "preference_over_neutral" and category in sets and neutral in sets:
            sets[category].over_neutral = one
            sets[neutral].neutral = True
    for row in sets.values():
        row.under_others = under_others(found, row.share) if row.share else []
        row.medians_under_others = under_others(found, row.median) if row.median else []
    return sorted(sets.values(), key=lambda one: one.neutral)
