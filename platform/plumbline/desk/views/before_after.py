"""The page of figures before and after a mitigation, with the outcome of each."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import cached_property
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.audits.reuse import rows_asked_anew, rows_not_asked_anew
from plumbline.desk.changed_words import WORDS_SHOWN, changes
from plumbline.desk.lost_contrasts import (
    changed_others,
    lost_contrasts,
    other_lists,
    reworded_groups,
    share_no_contrast,
)
from plumbline.desk.mitigation_costs import costs, measures_quality, titles
from plumbline.desk.mitigation_side_effects import elsewhere
from plumbline.desk.two_models import is_of_groups, is_of_variant
from plumbline.desk.views.comparison import answer_to, fault_between, numbered_run, numbered_runs
from plumbline.findings.contrasts import alpha_of
from plumbline.pages.before_after import section_of
from plumbline.pages.roles import viewers_only
from plumbline.results import before_after
from plumbline.spec.card import DIFFERENCE_IN_DIFFERENCES, Card
from plumbline.spec.registry import PROBES

ROWS_PER_PAGE = 50
MATERIALS = ("groups", "attributes", "templates")
MEANINGS = {
    "gone": "present before; shown to be smaller than the smallest effect after, and the change is significant",
    "weaker": "the change is significant, and the difference has the same sign and is closer to zero",
    "unchanged": "the change is shown to be smaller than the smallest effect",
    "stronger": "the change is significant, and the difference has the same sign and is farther from zero",
    "reversed": "present before and after, with opposite signs",
    "new": "not present before, present after, and the change is significant",
    "changed": "the figure has no verdict of its own, and its change is significant",
    "undecided": "none of these: no significant change is shown, or one after which no difference is shown",
}


class _Differences:
    """The rows of the view for a paginator, which reads one page at a time."""

    def __init__(self, runs: tuple[int, int], outcome: str, attribute: str, statistic: str, card: Card | None) -> None:
        self.wanted = (*runs, outcome, attribute, statistic)
        self.card = card

    @cached_property
    def _count(self) -> int:
        return before_after.count(*self.wanted)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: slice) -> list[dict[str, Any]]:
        first = place.start or 0
        found = before_after.differences(*self.wanted, first=first, rows=place.stop - first)
        return [one | {"signed": self._is_signed(one["statistic"])} for one in found]

    def _is_signed(self, statistic: str) -> bool:
        """Return whether 0 means no effect, so that the sign tells the direction."""
        found = self.card.statistic(statistic) if self.card else None
        return found is not None and found.scale is not None and not found.null


@dataclass(frozen=True, slots=True)
class After:
    """A later run beside others: the counts of its outcomes, or that its comparison is open or was not asked for."""

    run: Run
    counts: list[tuple[str, int]]
    waiting: bool
    fault: str
    differs: list[str]


@require_safe
@viewers_only
def before_and_after(request: HttpRequest) -> HttpResponse:
    """Show the differences of one or several later runs `b` and of the earlier run `a`."""
    earlier, laters = numbered_run(request.GET.get("a", "")), numbered_runs(request.GET.getlist("b"))
    outcome = request.GET.get("outcome", "")
    chosen = {
        "outcome": outcome if outcome in MEANINGS else "",
        "attribute": request.GET.get("attribute", "").strip()[:200],
    }
    context: dict[str, Any] = {"first": earlier, "laters": laters, "chosen": chosen, "meanings": MEANINGS}
    context["fault"] = next(filter(None, (fault_between(earlier, later) for later in laters)), "")
    if earlier and laters and not context["fault"]:
        context |= _shown(request, earlier, laters, chosen)
    return render(request, "desk/before_after.html", context)


def _shown(request: HttpRequest, earlier: Run, laters: list[Run], chosen: dict[str, str]) -> dict[str, Any]:
    section = section_of(earlier.probe)
    statistic = section.statistic if section else ""
    own = section.context(request.GET.dict(), earlier, laters) if section else {}
    asked = "&".join([f"a={earlier.pk}", *(f"b={later.pk}" for later in laters)])
    context = own | {
        "section": section,
        "asked": asked,
        "cost_titles": titles(),
        "alpha": alpha_of(laters[0].spec),
        "card": PROBES[earlier.probe].card if earlier.probe in PROBES else None,
        "caveat": DIFFERENCE_IN_DIFFERENCES.caveat,
    }
    if len(laters) > 1:
        return context | _several(earlier, laters, statistic)
    return context | _one(request, earlier, laters[0], chosen, statistic)


def _several(earlier: Run, laters: list[Run], statistic: str) -> dict[str, Any]:
    after = [_after(earlier, later, statistic) for later in laters]
    return {
        "after": after,
        "outcomes": before_after.OUTCOMES,
        "waiting": any(one.waiting for one in after),
        "unanswered": [one.run for one in after if not any(number for _, number in one.counts) and not one.waiting],
        "costs_of_each": [(later, costs(earlier, later)) for later in laters],
    }


def _after(earlier: Run, later: Run, statistic: str) -> After:
    answer = answer_to(earlier, later)
    counts = before_after.outcome_counts(later.pk, earlier.pk, statistic)
    return After(
        later,
        list(counts.items()),
        answer["waiting"],
        answer["asked_in_vain"],
        list(answer["comparison"].also_differs) if answer["comparison"] else [],
    )


def _only_new(comparison: Any) -> int:
    """Return how many items only the later of two compared runs asked."""
    return comparison.only_new or 0 if comparison else 0


def _besides_words(comparison: Any) -> list[str]:
    """Return what else differs, without the words: only sentences that both runs asked are compared."""
    found = comparison.also_differs if comparison else []
    return [one for one in found if one.partition(" ")[0] not in MATERIALS]


def _one(request: HttpRequest, earlier: Run, later: Run, chosen: dict[str, str], statistic: str) -> dict[str, Any]:
    runs = (later.pk, earlier.pk)
    counts = before_after.outcome_counts(*runs, statistic)
    # Django's paginator needs a length and slices, not a whole Sequence.
    card = PROBES[later.probe].card if later.probe in PROBES else None
    rows: Any = _Differences(runs, chosen["outcome"], chosen["attribute"], statistic, card)
    found, copied = costs(earlier, later), rows_not_asked_anew(earlier, later)
    answer = answer_to(earlier, later)
    return {
        **answer,
        "also_differs": _besides_words(answer["comparison"]),
        "has_other_lists": before_after.has_figures_of_lists(*runs),
        "is_of_variant": is_of_variant(earlier, later),
        "is_copied": bool(copied and rows_asked_anew(later) <= _only_new(answer["comparison"])),
        "second": later,
        "costs": found,
        "only_costs": measures_quality(earlier) and any(one.sentences for one in found),
        "elsewhere": elsewhere(earlier, later),
        "of_groups": bool(statistic) or is_of_groups(later),
        "counts": [(outcome, counts[outcome], MEANINGS[outcome]) for outcome in before_after.OUTCOMES],
        "found": counts,
        "any": sum(counts.values()),
        "undecided_though_significant": before_after.undecided_though_significant(*runs, statistic),
        "lost_contrasts": lost_contrasts(earlier, later) if share_no_contrast(earlier, later) else "",
        "changed_others": changed_others(earlier, later),
        "reworded_groups": reworded_groups(earlier, later),
        "other_lists": other_lists(earlier, later),
        "reused": copied,
        "changes": [one for one in changes(earlier, later) if one.reworded],
        "words_shown": WORDS_SHOWN,
        "page": Paginator(rows, ROWS_PER_PAGE).get_page(request.GET.get("page")),
    }
