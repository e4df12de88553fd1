"""The explorer: which group goes with which attribute? The page, its data and their export."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.findings.robustness import unreliable_orders
from plumbline.pages import grid
from plumbline.pages.grid import Choice
from plumbline.pages.grid_caption import grid_caption
from plumbline.pages.rated_words import dimensions_of
from plumbline.pages.responses import compressed, csv_attachment
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.results import grid as store
from plumbline.results import summary
from plumbline.spec.registry import PROBES
from plumbline.spec.shared_statistics import PAIR_SCORE


def choices_of(run: Run) -> list[Choice]:
    """Return the statistics that this run's grid can show."""
    comparison = getattr(run, "comparison", None)
    paired = PAIR_SCORE in PROBES[run.probe].card.statistics if run.probe in PROBES else False
    paired = paired and summary.of_run(run.pk, PAIR_SCORE.name).exists()
    return grid.choices(run.probe, comparison.previous_id if comparison else None, paired=paired)


def chosen(request: HttpRequest, run: Run) -> Choice:
    """Return the statistic that the address names, or the first. Raises Http404 for one that the run does not have."""
    known = choices_of(run)
    name = request.GET.get("statistic") or (known[0].statistic.name if known else "")
    for choice in known:
        if choice.statistic.name == name:
            return choice
    raise Http404(f"This run has no statistic of this name; it has: {', '.join(one.statistic.name for one in known)}.")


def run_of(pk: int) -> Run:
    return get_object_or_404(Run.objects.select_related("comparison").defer("traceback"), pk=pk)


@require_safe
@viewers_only
def explorer(request: HttpRequest, number: int) -> HttpResponse:
    """Show the page. The browser draws the grid from `explorer_data`."""
    context = run_context(request, number, "explorer")
    known = choices_of(context["run"])
    context |= {
        "choices": known,
        "choice": chosen(request, context["run"]) if known else None,
        "labels": {choice.statistic.name: grid_caption(context["run"], choice) for choice in known},
    }
    return render(request, "explorer/explorer.html", context)


@require_safe
@viewers_only
def explorer_data(request: HttpRequest, number: int) -> HttpResponse:
    """Return one statistic's cells as compact arrays (pages.grid.payload)."""
    found = run_of(number)
    choice = chosen(request, found)
    cells = store.cells(found.pk, choice.statistic.name, choice.variant)
    return compressed(
        request,
        JsonResponse(grid.payload(cells, dimensions_of(found), unreliable_orders(found.pk, choice.statistic.name))),
    )


@require_safe
@viewers_only
def explorer_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Return the same cells as a CSV file whose texts no spreadsheet runs as formulas."""
    found = run_of(number)
    choice = chosen(request, found)
    cells = store.cells(found.pk, choice.statistic.name, choice.variant)
    text = grid.file(
        grid.with_dimensions(cells, dimensions_of(found)), grid_caption(found, choice) | {"cells": str(cells.height)}
    )
    return compressed(request, csv_attachment(text, f"run-{found.pk}-{choice.statistic.name}.csv"))
