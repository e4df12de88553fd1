"""The board of a BBQ run (Figure 3), with what must be read first, and its tables as files."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.methods.bbq import board, costs, response_bias
from plumbline.methods.bbq.board import ORDERS, Chosen
from plumbline.methods.bbq.card import CARD, NEAR_ZERO
from plumbline.methods.bbq.definitions import definitions
from plumbline.methods.bbq.files import address
from plumbline.methods.bbq.variants import SCORES, Figures
from plumbline.pages.measure_file import measure_file, measure_rows
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.results.answer_classes import answer_classes
from plumbline.results.models import Choice
from plumbline.results.summary import measures, of_run
from plumbline.spec.banks.bbq_question import DISAMBIG
from plumbline.spec.card import Statistic
from plumbline.spec.measure import Measure

STATISTICS: dict[str, Statistic] = {one.name: one for one in CARD.statistics}
WIDE = {"template": "", "group_a": "", "group_b": ""}
TABLES: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "board": ((*SCORES, "accuracy"), WIDE | {"attribute": ""}),
    "first": (response_bias.STATISTICS, WIDE),
    "definitions": ((*SCORES, "accuracy", "excluded_answers", "unmatched_answers"), WIDE | {"attribute": ""}),
    "costs": (("accuracy_cost", "accuracy_aligned", "accuracy_nonaligned"), WIDE | {"attribute": ""}),
    "wordings": ((response_bias.WORDINGS,), WIDE),
}
"""The statistics of each file, and the labels that its measures have."""


@require_safe
@viewers_only
def run_board(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "bbq")
    run: Run = context["run"]
    figures = board.read(run.pk)
    chosen = chosen_of(request, figures)
    category = request.GET.get("category", "")
    category = category if category in figures.categories() else ""
    context |= {
        "statistics": STATISTICS,
        "chosen": chosen,
        "orders": ORDERS,
        "rules": figures.rules(),
        "has_flagged": figures.without_flagged(),
        "rows": board.rows(figures, chosen) if figures.categories() else [],
        "categories": figures.categories(),
        "category": category,
        "definitions": definitions(figures, category),
        "drawing": costs.drawing(costs_of([figures], chosen)),
        "caveat": NEAR_ZERO,
        "classes": answer_classes(run.pk),
        "address": address([str(run.pk)], chosen),
        "answered": 0 if figures.categories() else Choice.objects.filter(run=run.pk).count(),
        **_first(run, chosen),
    }
    return render(request, "bbq/board.html", context)


def chosen_of(request: HttpRequest, figures: Figures) -> Chosen:
    """Return the choices of the address. A choice that the run does not have falls back to the paper's own."""
    rule, order = request.GET.get("rule", ""), request.GET.get("order", "")
    return Chosen(
        rule if rule in figures.rules() else "",
        request.GET.get("flagged") != "without",
        order if order in ORDERS else "category",
    )


def _first(run: Run, chosen: Chosen) -> dict[str, Any]:
    made = response_bias.response_biases(response_bias.read(run.pk), chosen.rule, flagged=chosen.flagged)
    return {"made": made if any(one.places[0] for one in made) else [], "wordings": response_bias.wordings(run.pk)}


def costs_of(every: list[Figures], chosen: Chosen) -> dict[str, list[Measure | None]]:
    """Return the cost of each run by category, then of all together."""
    categories = sorted({category for figures in every for category in figures.categories()})
    return {
        category: [
            figures.find("accuracy_cost", {"condition": DISAMBIG, "category": category}, flagged=chosen.flagged)
            for figures in every
        ]
        for category in (*categories, "")
    }


@require_safe
@viewers_only
def run_board_csv(request: HttpRequest, number: int, table: str) -> HttpResponse:
    """Return one of the page's tables as CSV. Raises Http404 for a table that the page does not have."""
    run: Run = run_context(request, number, "bbq")["run"]
    if table not in TABLES:
        raise Http404(f"No such table; there are: {', '.join(TABLES)}.")
    names, labels = TABLES[table]
    found = measures(of_run(run.pk, *names).filter(**labels).order_by("pk"))
    return measure_file(run, f"bbq-{table}", measure_rows(found), [STATISTICS[name] for name in names])
