"""The drawer of one cell of the grid: its sentences, their spread over templates, and its history."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.analyses.explorer.grid_page import chosen, run_of
from plumbline.analyses.explorer.item_display import displayed
from plumbline.audits.models import Run
from plumbline.audits.sentence_words import sentence_words
from plumbline.audits.states import RunState
from plumbline.pages.cell_text import cell_text
from plumbline.pages.charts.strip_plot import Line, Strip, strip
from plumbline.pages.grid import Choice
from plumbline.pages.rated_words import words_in
from plumbline.pages.roles import viewers_only
from plumbline.pages.tabs import method_pages
from plumbline.results import grid as store
from plumbline.results import items
from plumbline.results.grid import Cell
from plumbline.results.items import Item
from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import Measure
from plumbline.spec.registry import FOLDERS, PROBES
from plumbline.spec.sentences import Words
from plumbline.spec.shared_statistics import PAIR_SCORE

MOST_ITEMS, MOST_SENTENCES, MOST_RUNS = 5000, 60, 12


@require_safe
@viewers_only
def cell(request: HttpRequest, number: int) -> HttpResponse:
    """Show the drawer as a fragment. Raises Http404 for a cell that the run's grid does not have."""
    run = run_of(number)
    choice = chosen(request, run)
    where = Cell(choice.statistic.name, *(request.GET.get(name, "") for name in ("group", "other", "attribute")))
    history = _history(run, where, choice)
    if run.pk not in history:
        raise Http404("The grid of this run has no such cell.")
    if own := FOLDERS[run.probe].part("cell_drawer"):
        return render(request, own.TEMPLATE, {**_about(run, choice, where, history), **own.context(run, where)})
    words = sentence_words(run)
    poles = _poles(run, where)
    known = _of_poles(run, where, poles) if poles else _items(run, where, words)
    shown = [one for one in known if one.group in (where.group_a, where.group_b)]
    context = {
        **_about(run, choice, where, history),
        "displayed": [displayed(one, words) for one in shown[:MOST_SENTENCES]],
        "reading": method_pages(run.probe).reading(run),
        "poles": poles,
        "addresses": [
            (pole, urlencode({"group": where.group_a, "attribute": pole})) for pole in poles or (where.attribute,)
        ],
        "left_out": max(0, len(shown) - MOST_SENTENCES),
        "strip": _strip_of_poles(poles, history[run.pk], known)
        if poles
        else _strip(run.probe, where, history[run.pk], known),
    }
    return render(request, "explorer/cell.html", context)


def _about(run: Run, choice: Choice, where: Cell, history: dict[int, Measure]) -> dict[str, Any]:
    """Return the context that all drawers share."""
    return {
        "run": run,
        "choice": choice,
        "where": where,
        "measure": history[run.pk],
        "copied": _copied(run, choice, where, history[run.pk]),
        "pinned": _pinned(run, where),
        "history": sorted(history.items()) if len(history) > 1 else [],
    }


def _pinned(run: Run, where: Cell) -> Measure | None:
    """Return the measure that stands for the cell as a finding: of several lists or definitions the run's first."""
    own = of_run(run.pk, where.statistic).filter(group_a=where.group_a, group_b=where.group_b, template="")
    return next(iter(measures(own.filter(attribute=where.attribute).order_by("pk")[:1])), None)


def _copied(run: Run, choice: Choice, where: Cell, measure: Measure) -> str:
    against = f" (against {where.group_b})" if where.group_b else ""
    words = f"{where.group_a} × {where.attribute}{against}"
    return cell_text(words, measure, where.statistic, choice.statistic.unit, run)


def _history(run: Run, where: Cell, choice: Choice) -> dict[int, Measure]:
    """Return the cell in this run and in the latest runs before it of the same plan and model."""
    runs = [run.pk]
    if run.plan_id is not None and choice.variant is None:
        same = Run.objects.filter(plan=run.plan_id, model=run.model, probe=run.probe, state=RunState.DONE)
        runs += same.filter(pk__lt=run.pk).order_by("-pk").values_list("pk", flat=True)[: MOST_RUNS - 1]
    found = store.cell(runs, where, choice.variant)
    return {pk: _measure(where.statistic, columns) for pk, columns in found.items()}


def _measure(statistic: str, columns: dict[str, Any]) -> Measure:
    return Measure(statistic=statistic, **{name: value for name, value in columns.items() if name != "run"})


def _items(run: Run, where: Cell, words: Words) -> list[Item]:
    """Return the items behind the cell: those of its group, and of the other group or of all other groups."""
    own = items.under(run.pk, [where.group_a], where.attribute, MOST_ITEMS)
    if not where.group_b:
        return own
    others = [where.group_b] if where.group_b in words.groups else [one for one in words.groups if one != where.group_a]
    # A part of the other groups would give a wrong mean.
    if len(others) * len(words.templates) > MOST_ITEMS:
        return own
    return own + items.under(run.pk, others, where.attribute, MOST_ITEMS)


def _poles(run: Run, where: Cell) -> tuple[str, ...]:
    """Return the left and right word of the cell's pair of opposites. Empty for a cell of one word."""
    if where.statistic != PAIR_SCORE.name:
        return ()
    words = {one.pole: one.text for one in words_in(run) if one.pair == where.attribute}
    return (words["left"], words["right"]) if {"left", "right"} <= words.keys() else ()


def _of_poles(run: Run, where: Cell, poles: Sequence[str]) -> list[Item]:
    return [one for pole in poles for one in items.under(run.pk, [where.group_a], pole, MOST_ITEMS)]


def _strip_of_poles(poles: Sequence[str], measure: Measure, known: Sequence[Item]) -> Strip | None:
    """Return a strip of each pole's scores by template, and of their differences with the measure's interval."""
    left, right = (
        {one.template: one.score for one in known if one.attribute == pole and one.score is not None} for pole in poles
    )
    differences = [score - left[template] for template, score in right.items() if template in left]
    return strip(
        [
            Line(poles[0], [*left.values()]),
            Line(poles[1], [*right.values()]),
            Line("difference", differences, measure.value, measure.ci_low, measure.ci_high),
        ]
    )


def _strip(probe: str, where: Cell, measure: Measure, known: Sequence[Item]) -> Strip | None:
    """Return a strip of each group's scores by template. The line behind the measure shows its interval."""
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
    """Return the mean score of these groups by template, over items with a score."""
    found: dict[str, list[float]] = {}
    for one in known:
        if one.group in groups and one.score is not None:
            found.setdefault(one.template, []).append(one.score)
    return {template: fmean(scores) for template, scores in found.items()}
