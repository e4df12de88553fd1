"""The page of embeddings of names: Table 1 and Figure 2 of An et al. 2023."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.methods.name_embedding.accuracies import ACCURACY, GAIN, PROJECTION, rows
from plumbline.methods.name_embedding.spec import CARD
from plumbline.pages.charts.name_map import MAP, MOST_NAMES, clouds
from plumbline.pages.measure_file import measure_file, measure_rows
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import Measure

AXES = 2


@require_safe
@viewers_only
def run_name_embeddings(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "name_embeddings")
    run: Run = context["run"]
    context |= {
        "statistics": {one.name: one for one in CARD.statistics},
        "rows": rows(_accuracies(run)),
        "clouds": clouds(_places(run)),
        "side": MAP,
    }
    return render(request, "name_embedding/name_embeddings.html", context)


@require_safe
@viewers_only
def run_name_embeddings_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Return accuracies and positions as a file."""
    run: Run = run_context(request, number, "name_embeddings")["run"]
    return measure_file(run, "name-embeddings", measure_rows([*_accuracies(run), *_places(run)]), CARD.statistics)


def _accuracies(run: Run) -> list[Measure]:
    return measures(of_run(run.pk, ACCURACY, GAIN).filter(attribute="").order_by("pk"))


def _places(run: Run) -> list[Measure]:
    return measures(of_run(run.pk, PROJECTION).order_by("pk")[: AXES * MOST_NAMES])
