"""The page of all measures of a run, with filters, sorting and pagination."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Abs
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.findings.split_words import split_words
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.pages.statistic_caveats import card_statistics
from plumbline.results import summary
from plumbline.spec.card import PAIRED_DIFFERENCE, Card, Statistic
from plumbline.spec.measure import Measure

ROWS_PER_PAGE = 50
ORDERS: dict[str, tuple[str, Any]] = {
    "value": ("largest value first", Abs("value").desc(nulls_last=True)),
    "q": ("smallest q first", F("q_value").asc(nulls_last=True)),
    "n": ("fewest items first", F("n").asc()),
    "attribute": ("by attribute", F("attribute").asc()),
}


@require_safe
@viewers_only
def run_measures(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "measures")
    card: Card | None = context["card"]
    known = {one.name: one for one in card_statistics(card)}
    statistic = known.get(request.GET.get("statistic", ""), known[_first(context["run"], card)])
    chosen = {key: request.GET.get(key, "").strip() for key in ("group", "attribute", "list")}
    order = request.GET.get("order", "value") if request.GET.get("order") in ORDERS else "value"
    found = _chosen(context["run"], statistic, chosen).order_by(ORDERS[order][1], "group_a", "group_b", "pk")
    page = Paginator(found.values(*summary.FIELDS), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    rows = [Measure(**row) for row in page.object_list]
    context |= {
        "page": page,
        "rows": rows,
        "split": split_words(context["run"], rows),
        "statistic": statistic,
        "statistics": list(known),
        "chosen": chosen,
        "order": order,
        "orders": [(key, label) for key, (label, _) in ORDERS.items()],
        "groups": sorted({one.group_a for one in summary.coverage(number)}),
    }
    return render(request, "desk/run_measures.html", context)


def _first(run: Run, card: Card | None) -> str:
    """Return the statistic shown first: the difference between groups, else the first on the card that the run has."""
    if card is None:
        return PAIRED_DIFFERENCE.name
    if summary.of_run(run.pk, card.difference).exists():
        return card.difference
    there = summary.statistics_there(run.pk, [one.name for one in card.statistics])
    return next((one.name for one in card.statistics if one.name in there), card.difference)


def _chosen(run: Run, statistic: Statistic, chosen: dict[str, str]) -> QuerySet[Any]:
    found = summary.under_every_prior(run.pk, statistic.name)
    if group := chosen["group"]:
        found = found.filter(Q(group_a=group) | Q(group_b=group))
    if category := chosen["list"]:
        found = found.filter(category=category)
    return found.filter(attribute__icontains=chosen["attribute"]) if chosen["attribute"] else found
