"""A run's figures as files for the Hugging Face Hub."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.packing.hub.eval_results import eval_results
from plumbline.packing.hub.model_card import model_card
from plumbline.pages.roles import viewers_only
from plumbline.spec.errors import InputError


@require_safe
@viewers_only
def run_eval_results(request: HttpRequest, number: int) -> HttpResponse:
    """Send the results file for the benchmark that the query names."""
    dataset = request.GET.get("dataset", "").strip()
    return _file(request, number, "eval-results.yaml", "application/yaml", lambda run: eval_results(run, dataset))


@require_safe
@viewers_only
def run_model_card(request: HttpRequest, number: int) -> HttpResponse:
    return _file(request, number, "model-card.md", "text/markdown; charset=utf-8", model_card)


def _file(request: HttpRequest, number: int, name: str, content_type: str, make: Callable[[Run], str]) -> HttpResponse:
    """Return the file, which the activity log records like each file, or lead back with the reason for none."""
    run = get_object_or_404(Run, pk=number)
    try:
        response = HttpResponse(make(run), content_type=content_type)
    except InputError as error:
        messages.error(request, f"No file was made: {error}")
        return redirect("run", run.pk)
    response["Content-Disposition"] = f'attachment; filename="run-{run.pk}-{name}"'
    return response
