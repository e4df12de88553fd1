"""The pages of SODAPOP: which words mislead a model about whom, and how well do names separate into groups?"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.contrasts import is_present
from plumbline.methods.sodapop import findings, success_rates
from plumbline.methods.sodapop.card import CARD
from plumbline.methods.sodapop.success_rates import Chosen
from plumbline.pages.addresses import numbered
from plumbline.pages.charts.name_map import MAP, MOST_NAMES, clouds
from plumbline.pages.measure_file import measure_file, measure_rows
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.results.answer_classes import answer_classes
from plumbline.results.summary import measures, of_run
from plumbline.spec.card import Statistic

CARDS: dict[str, Statistic] = {one.name: one for one in CARD.statistics}
RUNS_OFFERED = 100


@require_safe
@viewers_only
def words(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "words")
    run: Run = context["run"]
    context |= {"statistics": CARDS, "classes": answer_classes(run.pk), **_offered(request, run)}
    if chosen := context["chosen"]:
        found = success_rates.strongest(run.pk, chosen)
        context |= {
            "bars": success_rates.bars(found),
            "end": success_rates.longest(found),
            "few": success_rates.few(run.pk, chosen),
        }
        context["others"] = _other_runs(run)
    return render(request, "sodapop/words.html", context)


def _offered(request: HttpRequest, run: Run) -> dict[str, Any]:
    """Return the choices of a run and those of the address. Invalid ones fall back to the first."""
    pairs = success_rates.pairs(run.pk)
    if not pairs:
        return {"pairs": [], "chosen": None}
    place = numbered(request, "pair", pairs)
    pair = pairs[place]
    contexts, variants = success_rates.contexts(run.pk, pair), success_rates.variants(run.pk, pair)
    context, variant = request.GET.get("context", ""), request.GET.get("variant", "")
    chosen = Chosen(*pair, context if context in contexts else "", variant if variant in variants else variants[0])
    return {"pairs": pairs, "place": place, "contexts": contexts, "variants": variants, "chosen": chosen}


def _other_runs(run: Run) -> list[Run]:
    """Return the latest finished runs of the method to compare with."""
    others = Run.objects.filter(probe=run.probe, state=RunState.DONE).exclude(pk=run.pk)
    return list(others.order_by("-pk").only("pk", "name", "model")[:RUNS_OFFERED])


@require_safe
@viewers_only
def words_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Return all words of the chosen pair, context and definition as a file."""
    run: Run = run_context(request, number, "words")["run"]
    chosen = _offered(request, run)["chosen"]
    found = success_rates.all_words(run.pk, chosen) if chosen else []
    return measure_file(run, "words", measure_rows(found), [CARDS[findings.DIFFERENCE]])


@require_safe
@viewers_only
def words_compared(request: HttpRequest, number: int) -> HttpResponse:
    """Show the strongest words of two runs with the figures of both. Raises Http404 for a missing run."""
    context = run_context(request, number, "words")
    run: Run = context["run"]
    other = _second(request, run)
    context |= {"statistics": CARDS, "other": other, "others": _other_runs(run), **_offered(request, run)}
    if other and context["chosen"]:
        context |= _both_runs(run, other, context["chosen"])
    return render(request, "sodapop/comparison.html", context)


def _second(request: HttpRequest, run: Run) -> Run | None:
    number = request.GET.get("with", "")
    if not number:
        return None
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise Http404("No run has such a number.")
    return get_object_or_404(Run, pk=int(number), probe=run.probe)


def _both_runs(run: Run, other: Run, chosen: Chosen) -> dict[str, Any]:
    """Return both runs' words on one axis. Each run uses its own primary definition."""
    variants = success_rates.variants(other.pk, (chosen.group_a, chosen.group_b))
    theirs = Chosen(chosen.group_a, chosen.group_b, chosen.context, variants[0] if variants else "")
    strongest = [*success_rates.strongest(run.pk, chosen), *success_rates.strongest(other.pk, theirs)]
    words = list(dict.fromkeys(one.attribute for one in strongest))
    ours, beside = success_rates.of_words(run.pk, chosen, words), success_rates.of_words(other.pk, theirs, words)
    end = success_rates.longest(strongest)
    rows = []
    for word in words:
        mine, its = (success_rates.bars([own[word]], end)[0] if word in own else None for own in (ours, beside))
        rows.append({"word": word, "bars": (mine, its), "opposed": _opposed(mine, its)})
    return {"rows": sorted(rows, key=_size), "end": end, "has_pair": bool(variants), "sides": (run, other)}


def _opposed(mine: success_rates.Bar | None, its: success_rates.Bar | None) -> bool:
    """Return whether the word is present in both runs with opposite signs."""
    present = [one.measure.value or 0.0 for one in (mine, its) if one and is_present(one.measure)]
    return len(present) == 2 and present[0] * present[1] < 0


def _size(row: dict[str, Any]) -> tuple[float, str]:
    first = row["bars"][0] or row["bars"][1]
    return -(first.measure.value or 0.0), row["word"]


@require_safe
@viewers_only
def names(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "names")
    run: Run = context["run"]
    groups, rows = success_rates.matrix(measures(of_run(run.pk, findings.CLUSTERS).filter(attribute="", template="")))
    places = measures(of_run(run.pk, success_rates.PROJECTION).order_by("pk")[: 2 * MOST_NAMES])
    context |= {
        "statistics": CARDS,
        "clouds": clouds(places),
        "side": MAP,
        "groups": groups,
        "rows": rows[1:],
        "names_seen": run.provenance.get("stages", {}).get("asking", {}).get("names_seen"),
    }
    return render(request, "sodapop/names.html", context)


@require_safe
@viewers_only
def names_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Return accuracies and positions as a file."""
    run: Run = run_context(request, number, "names")["run"]
    found = measures(of_run(run.pk, findings.CLUSTERS, success_rates.PROJECTION).order_by("pk")[: 4 * MOST_NAMES])
    return measure_file(run, "names", measure_rows(found), [CARDS[findings.CLUSTERS], CARDS[success_rates.PROJECTION]])
