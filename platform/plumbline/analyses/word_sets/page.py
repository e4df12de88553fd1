"""The page of effect sizes: how strongly are two sets of words linked with two opposites, and by which words?"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.analyses.word_sets.cells import cuts_of, groups_on_pairs
from plumbline.analyses.word_sets.effects import STATISTICS, Effect, contrast_of, effects
from plumbline.analyses.word_sets.findings import effect_figures, effect_sentence, where
from plumbline.analyses.word_sets.method import Side, word_set_test
from plumbline.audits.models import Run
from plumbline.pages.charts.strip_plot import Line, strip
from plumbline.pages.measure_file import measure_file, measure_rows
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.results.summary import measures, of_run
from plumbline.spec.card import Statistic
from plumbline.spec.measure import Measure
from plumbline.spec.registry import card_of

TABLES = ("effects", "words", "groups")
MOST_CELLS = 5000


@require_safe
@viewers_only
def run_effects(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "effects")
    run: Run = context["run"]
    found = measures(of_run(run.pk, *STATISTICS).order_by("pk"))
    whole = effects([one for one in found if not one.template])
    context |= {
        "statistics": statistics_of(run),
        "effects": whole,
        "by_template": effects([one for one in found if one.template]),
        "item_filter": "attribute" if word_set_test(run.probe).words_are_attributes else "group",
    }
    if whole:
        context |= _of_sets(run, whole)
    else:
        pairs, rows = groups_on_pairs(_groups(run.pk))
        context |= {"pairs": [pair.partition(" - ")[::2] for pair in pairs], "rows": rows}
    return render(request, "word_sets/effects.html", context)


def _of_sets(run: Run, whole: list[Effect]) -> dict[str, Any]:
    primary = whole[0]
    contrast = contrast_of(run.probe, primary.measure)
    test = word_set_test(run.probe)
    sides = test.sides(run, primary.measure)
    return {
        "cuts": cuts_of(run.pk),
        "contrast": contrast,
        "sentence": effect_sentence(run.subject, contrast, primary, where(run)),
        "figures": effect_figures(primary),
        "sides": sides,
        "intervals": any(one.low is not None for side in sides for one in side.words),
        "removed": test.removed_attributes(run),
        "strip": strip([_line(side) for side in sides]),
        "score": test.score,
    }


def _line(side: Side) -> Line:
    values = [one.value for one in side.kept if one.value is not None]
    return Line(side.name, values, mean=sum(values) / len(values) if values else None)


def statistics_of(run: Run) -> dict[str, Statistic]:
    card = card_of(run.probe)
    return {one.name: one for one in card.statistics} if card else {}


def _groups(run: int) -> list[Measure]:
    return measures(of_run(run, "ceat").order_by("pk")[:MOST_CELLS])


@require_safe
@viewers_only
def run_effects_csv(request: HttpRequest, number: int, table: str) -> HttpResponse:
    """Return one table of the page as a file. Raises Http404 for an unknown table."""
    run: Run = run_context(request, number, "effects")["run"]
    if table not in TABLES:
        raise Http404(f"No such table. Choose from {', '.join(TABLES)}.")
    known = statistics_of(run)
    told = (*STATISTICS, "effect_size_of_cuts")
    found = measures(of_run(run.pk, *told).order_by("pk"))
    if table == "groups":
        return measure_file(run, table, measure_rows(_groups(run.pk)), [known["ceat"]] if "ceat" in known else [])
    if table == "effects":
        return measure_file(run, table, measure_rows(found), [known[name] for name in told if name in known])
    rows = [
        {
            "set": side.name,
            "word": one.text,
            "value": one.value,
            "ci_low": one.low,
            "ci_high": one.high,
            "reason": one.reason,
        }
        for side in (word_set_test(run.probe).sides(run, found[0]) if found else [])
        for one in side.words
    ]
    return measure_file(run, table, rows)
