"""The bridge explorer: which target goes with which feature through first names, and which confounds may explain it?"""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.methods.indirect import table
from plumbline.methods.indirect.card import WITHOUT_VARIANT
from plumbline.methods.indirect.choices import Lists, choices_of, comparable_runs, lists_of, targets_of
from plumbline.methods.indirect.findings import how_read
from plumbline.pages import grid
from plumbline.pages.arrays import as_json
from plumbline.pages.grid import Choice
from plumbline.pages.grid_caption import grid_caption
from plumbline.pages.responses import compressed, csv_attachment
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context

PROBE = "indirect"
MODULES = (
    *("desk/cell_drawer.js", "desk/grid.js"),
    *(f"desk/grid_{name}.js" for name in ("order", "paint", "picture", "svg", "table")),
    *(f"indirect/{name}.js" for name in ("address", "bars", "cell_words", "chart_parts", "filters", "opened_cell")),
    *(f"indirect/{name}.js" for name in ("order", "panel", "picks", "reading", "scatter", "state", "strips", "tables")),
    *(f"indirect/{name}.js" for name in ("view", "view_table", "word_chart", "word_pair")),
)
"""The modules that the page's script imports. Listed in the head, they load in parallel."""


def run_of(number: int) -> Run:
    """Return the run. Raises Http404 for a run of another probe."""
    return get_object_or_404(Run.objects.defer("traceback"), pk=number, probe=PROBE)


def chosen(request: HttpRequest, known: list[Choice]) -> Choice:
    """Return the statistic that the address names, or the first. Raises Http404 for one that the run does not have."""
    name, variant = request.GET.get("statistic", ""), request.GET.get("variant", "")
    for choice in known:
        if not name or (choice.statistic.name, choice.variant) == (name, variant):
            return choice
    raise Http404(f"This run has no statistic of this name; it has: {', '.join(one.statistic.name for one in known)}.")


def list_of(request: HttpRequest, lists: Lists) -> str:
    """Return the list of features that the address names, or the first. Raises Http404 for an unknown list."""
    wanted = request.GET.get("list")
    if wanted is None or wanted in lists.all:
        return next(iter(lists.all), "") if wanted is None else wanted
    raise Http404(f"This run has no features of this list; it has: {', '.join(lists.all)}.")


@require_safe
@viewers_only
def indirect(request: HttpRequest, number: int) -> HttpResponse:
    """Show the page. The browser draws the table from `indirect_data`."""
    run_of(number)
    context = run_context(request, number, PROBE)
    known = choices_of(context["run"])
    same, other = comparable_runs(context["run"])
    context |= {"choices": [_shown(one) for one in known], "lists": lists_of(context["run"])}
    context |= {"modules": MODULES, "models": same, "others": other, "targets": targets_of(context["run"])}
    context["first"] = _first(request, context["run"], known, context["lists"]) if known else ""
    context["how_read"] = how_read(context["run"].spec.get("params") or {})
    context["labels"] = {key_of(one): grid_caption(context["run"], one) for one in known}
    return render(request, "indirect/explorer.html", context)


def _first(request: HttpRequest, run: Run, known: list[Choice], lists: Lists) -> str:
    """Return the address of the table that the script requests first, so that the browser can preload it."""
    wanted = (request.GET.get("statistic", ""), request.GET.get("variant", ""))
    choice = next((one for one in known if (one.statistic.name, one.variant) == wanted), known[0])
    asked_list = request.GET.get("list", "")
    slug = asked_list if asked_list in lists.all else next(iter(lists.all), "")
    query = {"statistic": choice.statistic.name, "list": slug} | ({"variant": choice.variant} if choice.variant else {})
    return f"{reverse('indirect_data', args=[run.pk])}?{urlencode(query)}"


def key_of(choice: Choice) -> str:
    """Return a statistic with its variant as one text, for the page's select."""
    return f"{choice.statistic.name} {choice.variant}".strip()


def _shown(choice: Choice) -> dict[str, Any]:
    """Return a choice with its key. `without` names the excluded sensitive set, or ""."""
    return {"choice": choice, "key": key_of(choice), "without": (choice.variant or "").removeprefix(WITHOUT_VARIANT)}


@require_safe
@viewers_only
def indirect_data(request: HttpRequest, number: int) -> HttpResponse:
    """Return one statistic and list as compact arrays (methods.indirect.table.payload)."""
    run, choice, slug = choice_of(request, number)
    text = as_json(table.payload(run, choice, slug))
    return compressed(request, HttpResponse(text, content_type="application/json"))


@require_safe
@viewers_only
def indirect_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Return the same cells as a CSV file whose texts no spreadsheet runs as formulas."""
    run, choice, slug = choice_of(request, number)
    cells = table.cells(run, choice, slug)
    head: dict[str, Any] = grid_caption(run, choice) | {"list": slug, "cells": str(cells.height)}
    return compressed(request, csv_attachment(grid.file(cells, head), f"run-{run.pk}-{choice.statistic.name}.csv"))


def choice_of(request: HttpRequest, number: int) -> tuple[Run, Choice, str]:
    """Return the run, statistic and list that an address names. Raises Http404 for unknown ones."""
    run = run_of(number)
    return run, chosen(request, choices_of(run)), list_of(request, lists_of(run))
