"""The context that all pages of a run share."""

from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from plumbline.audits.models import Run
from plumbline.audits.staleness import stale_lists
from plumbline.audits.states import LIVE, RESUMABLE, RunState
from plumbline.findings.by_method import concerns, warnings
from plumbline.findings.contrasts import alpha_of
from plumbline.findings.ended_early import ended_early
from plumbline.findings.sentences import interval_name
from plumbline.pages.tabs import method_pages, tabs_of
from plumbline.results import summary
from plumbline.spec.registry import card_of


def run_context(request: HttpRequest, number: int, tab: str) -> dict[str, Any]:
    """Return the context of a run's page above its tabs. Raises Http404 if the run does not exist."""
    run = get_object_or_404(Run.objects.select_related("plan", "created_by"), pk=number)
    return {
        "run": run,
        "tab": tab,
        "card": card_of(run.probe),
        "stale": stale_lists([run])[run.pk],
        "earlier_rules": run.state == RunState.DONE and summary.is_of_earlier_rules(run.pk),
        "tabs": tabs_of(run),
        "method_pages": method_pages(run.probe),
        "alpha": alpha_of(run.spec),
        "interval_name": interval_name(run.spec),
        "live": run.state in LIVE,
        "resumable": run.state in RESUMABLE,
        "ended_early": ended_early(run),
        "concerns": concerns(run),
        "warnings": warnings(run),
    }
