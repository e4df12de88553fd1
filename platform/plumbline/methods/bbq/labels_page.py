"""The page of a category of BBQ: labels by stereotyped value and by what differs (Figures 4, 8 to 10), templates."""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.methods.bbq import labels, template_rates
from plumbline.methods.bbq.board_page import STATISTICS
from plumbline.methods.bbq.card import NEAR_ZERO
from plumbline.methods.bbq.files import heatmap_picture
from plumbline.methods.bbq.heatmap import of_heatmap
from plumbline.methods.bbq.other_runs import other_runs, run_named
from plumbline.methods.bbq.question_texts import examples
from plumbline.methods.bbq.validation_state import validated
from plumbline.methods.bbq.variants import SCORES
from plumbline.pages.measure_file import measure_file, measure_rows
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.results.summary import measures, of_run
from plumbline.spec.banks.bbq_question import AMBIG


@require_safe
@viewers_only
def run_labels(request: HttpRequest, number: int) -> HttpResponse:
    """Show the page.

    `?category=`, `?score=` (s_amb, s_dis), `?flagged=without`, `?by=code`; `?with=` sets the mean of two runs.
    """
    context = run_context(request, number, "bbq_labels")
    run: Run = context["run"]
    context |= _chosen(request, run)
    if context["category"]:
        other = run_named(request.GET.get("with", ""))
        context |= {"other": other, "others": other_runs(run), **_heatmaps(request, run, other, context)}
        context["address"] = request.GET.urlencode()
    return render(request, "bbq/labels.html", context)


def _chosen(request: HttpRequest, run: Run) -> dict[str, Any]:
    """Return the choices of the address. A choice that the run does not have falls back to the first."""
    categories = labels.categories(run.pk)
    category, score = request.GET.get("category", ""), request.GET.get("score", "")
    score = score if score in SCORES else next(iter(SCORES))
    category = category if category in categories else next(iter(categories), "")
    return {
        "categories": categories,
        "category": category,
        "query": urlencode({"category": category}),
        "score": score,
        "condition": SCORES[score],
        "statistic": STATISTICS[score],
        "scores": SCORES,
        "flagged": request.GET.get("flagged") != "without",
        "caveat": NEAR_ZERO,
    }


def _heatmaps(request: HttpRequest, run: Run, other: Run | None, chosen: dict[str, Any]) -> dict[str, Any]:
    every = [run, other] if other else [run]
    found = [labels.read(one.pk, chosen["category"], chosen["score"]) for one in every]
    has_codes = all(map(labels.has_codes, found))
    by = request.GET.get("by") or ("code" if any(map(labels.has_many_labels, found)) else "label")
    coded = by == "code" and has_codes
    maps = labels.heatmaps(found, chosen["category"], chosen["score"], flagged=chosen["flagged"], coded=coded)
    return {
        "heatmaps": maps,
        "coded": coded,
        "has_codes": has_codes,
        "has_flagged": any(one.without_flagged() for one in found),
    }


@require_safe
@viewers_only
def run_labels_svg(request: HttpRequest, number: int, across: str) -> HttpResponse:
    """Return a heatmap as a complete picture, `across` as in its file's name. Raises Http404 for others."""
    run: Run = run_context(request, number, "bbq_labels")["run"]
    chosen, other = _chosen(request, run), run_named(request.GET.get("with", ""))
    shown = _heatmaps(request, run, other, chosen)["heatmaps"] if chosen["category"] else []
    one = next((heatmap for heatmap in shown if slugify(heatmap.title) == across), None)
    if one is None:
        raise Http404("This run has no such heatmap.")
    runs = [run, other] if other else [run]
    told = f"{chosen['category']}, {'ambiguous' if chosen['condition'] == AMBIG else 'disambiguated'} contexts,"
    context = heatmap_picture(runs, of_heatmap(one), told, one.title)
    response = HttpResponse(render_to_string("bbq/board_alone.svg", context), content_type="image/svg+xml")
    response["Content-Disposition"] = f'attachment; filename="run-{run.pk}-bbq-{across}.svg"'
    return response


@require_safe
@viewers_only
def run_labels_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Return the scores of a category by label, value and what differs, in all variants."""
    run: Run = run_context(request, number, "bbq_labels")["run"]
    chosen = _chosen(request, run)
    found = of_run(run.pk, *SCORES).filter(category=chosen["category"], template="").order_by("pk")
    return measure_file(run, "bbq-labels", measure_rows(measures(found)), [STATISTICS[name] for name in SCORES])


@require_safe
@viewers_only
def run_templates(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "bbq_templates")
    run: Run = context["run"]
    context |= _chosen(request, run)
    if context["category"]:
        found = template_rates.templates(run.pk, context["category"], flagged=context["flagged"])
        states = validated(run, context["category"])
        context["templates"] = [(one, states.get(one.name)) for one in found]
    return render(request, "bbq/templates.html", context)


@require_safe
@viewers_only
def run_template(request: HttpRequest, number: int) -> HttpResponse:
    """Show Table 2 of the template `?name=`, with an example of each question. Raises Http404 for an unknown one."""
    context = run_context(request, number, "bbq_templates")
    run: Run = context["run"]
    name = request.GET.get("name", "")
    category, template, rates = template_rates.one_template(run.pk, name)
    if template is None:
        raise Http404("This run has no template of this name.")
    texts = examples(run, category, name)
    shown = [{"row": one, "example": texts.get((one.condition, one.polarity))} for one in rates]
    context |= {"name": name, "category": category, "template": template, "rates": shown, "statistics": STATISTICS}
    context |= {"query": urlencode({"category": category}), "state": validated(run, category).get(name)}
    return render(request, "bbq/template.html", context)


@require_safe
@viewers_only
def run_templates_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Return Table 2 and the scores of all templates of a category as CSV."""
    run: Run = run_context(request, number, "bbq_templates")["run"]
    names = (*SCORES, "accuracy", "choice_rate")
    found = of_run(run.pk, *names).filter(category=_chosen(request, run)["category"]).exclude(template="")
    rows = measure_rows(measures(found.order_by("pk")))
    return measure_file(run, "bbq-templates", rows, [STATISTICS[name] for name in names])
