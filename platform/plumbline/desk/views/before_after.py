"""The page of figures before and after a mitigation, with the outcome of each."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import cached_property
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.desk.elsewhere import elsewhere
from plumbline.desk.mitigation_costs import costs, measures_quality, titles
from plumbline.desk.views.comparison import answer_to, fault_between, numbered_run
from plumbline.findings.contrasts import alpha_of
from plumbline.pages.roles import viewers_only
from plumbline.results import before_after
from plumbline.spec.association import AssociationSpec
from plumbline.spec.card import DIFFERENCE_IN_DIFFERENCES, Card
from plumbline.spec.registry import PROBES

ROWS_PER_PAGE = 50
MEANINGS = {
    "gone": "present before; shown to be smaller than the smallest effect after, and the change is significant",
    "weaker": "the change is significant, and the difference is closer to zero",
    "unchanged": "the change is shown to be smaller than the smallest effect",
    "stronger": "the change is significant, and the difference is farther from zero",
    "reversed": "present before and after, with opposite signs",
    "new": "not present before, present after, and the change is significant",
    "changed": "the figure has no verdict of its own, and its change is significant",
    "undecided": "the data allow none of these statements",
}


def is_of_groups(run: Run) -> bool:
    """Return whether the run scores groups with attributes, so that its figures are differences between two groups."""
    return run.probe in PROBES and issubclass(PROBES[run.probe].spec, AssociationSpec)


class _Differences:
    """The rows of the view for a paginator, which reads one page at a time."""

    def __init__(self, runs: tuple[int, int], outcome: str, attribute: str, card: Card | None) -> None:
        self.wanted = (*runs, outcome, attribute)
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


@require_safe
@viewers_only
def before_and_after(request: HttpRequest) -> HttpResponse:
    """Show the differences of the later run `b` and of the earlier run `a`."""
    earlier, later = (numbered_run(request.GET.get(side, "")) for side in ("a", "b"))
    outcome = request.GET.get("outcome", "")
    chosen = {
        "outcome": outcome if outcome in MEANINGS else "",
        "attribute": request.GET.get("attribute", "").strip()[:200],
    }
    context: dict[str, Any] = {"first": earlier, "second": later, "chosen": chosen, "meanings": MEANINGS}
    context["fault"] = fault_between(earlier, later)
    if earlier and later and not context["fault"]:
        context |= _shown(request, earlier, later, chosen)
    return render(request, "desk/before_after.html", context)


def _shown(request: HttpRequest, earlier: Run, later: Run, chosen: dict[str, str]) -> dict[str, Any]:
    runs = (later.pk, earlier.pk)
    counts = before_after.outcome_counts(*runs)
    # Django's paginator needs a length and slices, not a whole Sequence.
    card = PROBES[later.probe].card if later.probe in PROBES else None
    rows: Any = _Differences(runs, chosen["outcome"], chosen["attribute"], card)
    found = costs(earlier, later)
    return {
        **answer_to(earlier, later),
        "costs": found,
        "only_costs": measures_quality(earlier) and any(one.sentences for one in found),
        "cost_titles": titles(),
        "alpha": alpha_of(later.spec),
        "elsewhere": elsewhere(earlier, later),
        "of_groups": is_of_groups(later),
        "caveat": DIFFERENCE_IN_DIFFERENCES.caveat,
        "counts": [(outcome, counts[outcome], MEANINGS[outcome]) for outcome in before_after.OUTCOMES],
        "found": counts,
        "any": sum(counts.values()),
        "page": Paginator(rows, ROWS_PER_PAGE).get_page(request.GET.get("page")),
    }
