"""The page of several runs of BBQ side by side: one board, one axis (Figures 2 and 3), and of two runs their mean."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.methods.bbq import board, costs, files, run_comparison
from plumbline.methods.bbq.board_page import STATISTICS, chosen_of, costs_of
from plumbline.methods.bbq.card import NEAR_ZERO
from plumbline.methods.bbq.heatmap import picture
from plumbline.methods.bbq.other_runs import MOST_RUNS, all_runs, runs_named
from plumbline.methods.bbq.variants import Figures
from plumbline.pages.roles import viewers_only


@require_safe
@viewers_only
def boards(request: HttpRequest) -> HttpResponse:
    """Show the boards of `?runs=1,2,3`; without runs, show all to choose from."""
    context = _page_context(request)
    context |= {"statistics": STATISTICS, "orders": board.ORDERS, "caveat": NEAR_ZERO, "most": MOST_RUNS}
    context["offered"] = all_runs()
    return render(request, "bbq/comparison.html", context)


def _page_context(request: HttpRequest) -> dict[str, Any]:
    runs = runs_named(request.GET.getlist("runs"))
    every = [board.read(run.pk) for run in runs]
    context: dict[str, Any] = {"runs": runs, "picked": {run.pk for run in runs}}
    if not runs:
        return context
    rules = list(dict.fromkeys(rule for figures in every for rule in figures.rules()))
    chosen = chosen_of(request, every[0])
    mean = run_comparison.has_mean(runs, asked=bool(request.GET.get("mean")))
    return context | {
        "rules": rules,
        "chosen": chosen,
        "sides": run_comparison.sides(runs, every),
        "rows": run_comparison.rows(runs, every, chosen, mean=mean),
        "mean": mean,
        "uneven": len({tuple(figures.categories()) for figures in every}) > 1,
        "drawing": costs.drawing(costs_of(every, chosen)),
        "address": files.address(request.GET.getlist("runs"), chosen),
    }


@require_safe
@viewers_only
def boards_csv(request: HttpRequest) -> HttpResponse:
    """Return the boards and the costs of the chosen runs as CSV, a row a run and measure."""
    runs = _chosen_runs(request)
    return files.of_runs([(run, board.read(run.pk)) for run in runs], list(STATISTICS.values()))


@require_safe
@viewers_only
def costs_svg(request: HttpRequest) -> HttpResponse:
    """Return Figure 2 as a complete picture. Raises Http404 if there is nothing to draw."""
    runs = _chosen_runs(request)
    every: list[Figures] = [board.read(run.pk) for run in runs]
    drawing = costs.drawing(costs_of(every, chosen_of(request, every[0])))
    if drawing is None:
        raise Http404("These runs have no costs to draw.")
    context = files.costs_picture(runs, drawing, STATISTICS["accuracy_cost"])
    return _svg("costs", runs, render_to_string("bbq/costs_alone.svg", context))


@require_safe
@viewers_only
def board_svg(request: HttpRequest) -> HttpResponse:
    """Return Figure 3 as a complete picture, by the chosen definition and in the chosen order."""
    runs = _chosen_runs(request)
    every = [board.read(run.pk) for run in runs]
    chosen = chosen_of(request, every[0])
    drawing = picture(run_comparison.sides(runs, every), run_comparison.rows(runs, every, chosen, mean=False))
    context = files.board_picture(runs, drawing, chosen.rule)
    return _svg("board", runs, render_to_string("bbq/board_alone.svg", context))


def _svg(name: str, runs: list[Run], text: str) -> HttpResponse:
    response = HttpResponse(text, content_type="image/svg+xml")
    response["Content-Disposition"] = f'attachment; filename="bbq-{name}-{"-".join(str(run.pk) for run in runs)}.svg"'
    return response


def _chosen_runs(request: HttpRequest) -> list[Run]:
    runs = runs_named(request.GET.getlist("runs"))
    if not runs:
        raise Http404("Name runs: ?runs=1,2.")
    return runs
