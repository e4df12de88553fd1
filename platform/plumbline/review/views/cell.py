"""The drawer of one cell of the grid: its sentences, their spread over the templates, and its history."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.results import grid as store
from plumbline.results import items
from plumbline.results.grid import Cell
from plumbline.results.items import Item
from plumbline.review.asked import asked
from plumbline.review.grid import Choice
from plumbline.review.roles import viewers_only
from plumbline.review.sentences import Words, words_of
from plumbline.review.strip import Line, Strip, strip
from plumbline.review.views.explorer import chosen, run_of
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES

MOST_ITEMS, MOST_SENTENCES, MOST_RUNS = 5000, 60, 12


@require_safe
@viewers_only
def cell(request: HttpRequest, number: int) -> HttpResponse:
    """The drawer, a fragment. Http404 for a cell that the run's grid does not have."""
    run = run_of(number)
    choice = chosen(request, run)
    where = Cell(choice.statistic.name, *(request.GET.get(name, "") for name in ("group", "other", "attribute")))
    history = _history(run, where, choice)
    if run.pk not in history:
        raise Http404("The grid of this run has no such cell.")
    words = words_of(run)
    known = _items(run, where, words)
    shown = [one for one in known if one.group in (where.group_a, where.group_b)]
    context = {
        "run": run,
        "choice": choice,
        "where": where,
        "measure": history[run.pk],
        "asked": [asked(one, words) for one in shown[:MOST_SENTENCES]],
        "address": urlencode({"group": where.group_a, "attribute": where.attribute}),
        "left_out": max(0, len(shown) - MOST_SENTENCES),
        "strip": _strip(run.probe, where, history[run.pk], known),
        "history": sorted(history.items()) if len(history) > 1 else [],
    }
    return render(request, "review/explorer_cell.html", context)


def _history(run: Run, where: Cell, choice: Choice) -> dict[int, Measure]:
    """The cell in this run and in the latest before it of the same plan and model."""
    runs = [run.pk]
    if run.plan_id is not None and choice.variant is None:
        same = Run.objects.filter(plan=run.plan_id, model=run.model, probe=run.probe, state=RunState.DONE)
        runs += same.filter(pk__lt=run.pk).order_by("-pk").values_list("pk", flat=True)[: MOST_RUNS - 1]
    found = store.cell(runs, where, choice.variant)
    return {pk: _measure(where.statistic, columns) for pk, columns in found.items()}


def _measure(statistic: str, columns: dict[str, Any]) -> Measure:
    return Measure(statistic=statistic, **{name: value for name, value in columns.items() if name != "run"})


def _items(run: Run, where: Cell, words: Words) -> list[Item]:
    """The items that the cell rests on: of its group, and of the other or of all other groups."""
    own = items.under(run.pk, [where.group_a], where.attribute, MOST_ITEMS)
    if not where.group_b:
        return own
    others = [where.group_b] if where.group_b in words.groups else [one for one in words.groups if one != where.group_a]
    # A part of the others would give a mean that is not theirs.
    if len(others) * len(words.templates) > MOST_ITEMS:
        return own
    return own + items.under(run.pk, others, where.attribute, MOST_ITEMS)


def _strip(probe: str, where: Cell, measure: Measure, known: Sequence[Item]) -> Strip | None:
    """The scores of each group by template; the measure's interval on the line that it is computed from."""
    card = PROBES[probe].card
    own = _scores(known, {where.group_a})
    estimate = (measure.value, measure.ci_low, measure.ci_high)
    if not where.group_b:
        return strip([Line(where.group_a, [*own.values()], *(estimate if where.statistic == card.score else ()))])
    others = _scores(known, {one.group for one in known} - {where.group_a})
    differences = [own[template] - others[template] for template in own if template in others]
    return strip(
        [
            Line(where.group_a, [*own.values()]),
            Line(where.group_b, [*others.values()]),
            Line("difference", differences, *(estimate if where.statistic == card.difference else ())),
        ]
    )


def _scores(known: Sequence[Item], groups: set[str]) -> dict[str, float]:
    """By template the mean score of these groups, of those that could be scored."""
    found: dict[str, list[float]] = {}
    for one in known:
        if one.group in groups and one.score is not None:
            found.setdefault(one.template, []).append(one.score)
    return {template: fmean(scores) for template, scores in found.items()}
