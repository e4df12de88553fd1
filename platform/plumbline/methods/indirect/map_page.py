"""The map of an indirect run's targets: its state, its positions, and requests for it."""

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits import presence, questions
from plumbline.audits.models import MapMethod, MapRequest, Run
from plumbline.audits.states import Queue
from plumbline.methods.indirect.explorer_page import choice_of
from plumbline.methods.indirect.variants import stored
from plumbline.pages.roles import viewers_only
from plumbline.spec.errors import InputError

LARGEST_SEED = 2**31 - 1


class MapForm(forms.Form):
    """The parameters of the layout. The address gives the data."""

    method = forms.ChoiceField(choices=MapMethod.choices)
    parameter = forms.IntegerField(min_value=2, max_value=200, required=False)
    seed = forms.IntegerField(min_value=0, max_value=LARGEST_SEED, required=False)


@require_safe
@viewers_only
@never_cache
def indirect_map(request: HttpRequest, number: int) -> HttpResponse:
    """Return the state of a map, and the positions of the targets when it is done."""
    run, about, fault = _asked(request, number)
    if about is None:
        return JsonResponse({"state": "failed", "error": fault}, status=400)
    return JsonResponse(map_data(questions.known_map(run, **about)))


@require_POST
@viewers_only
def indirect_map_ask(request: HttpRequest, number: int) -> HttpResponse:
    """Ask a worker for a map. Viewers of the run may do so: it takes a moment, asks no model and is stored."""
    run, about, fault = _asked(request, number)
    if about is None:
        return JsonResponse({"state": "failed", "error": fault}, status=400)
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may see the run
    try:
        found = questions.ask_map(run, by=request.user, **about)
    except InputError as error:
        return JsonResponse({"state": "failed", "error": str(error)}, status=409)
    return JsonResponse(map_data(found))


def _asked(request: HttpRequest, number: int) -> tuple[Run, dict[str, Any] | None, str]:
    """Return the run and the parameters of the map, or the error. Raises Http404 for an unknown statistic or list."""
    run, choice, slug = choice_of(request, number)
    form = MapForm(request.GET)
    if not form.is_valid():
        return run, None, " ".join(f"{name}: {' '.join(map(str, faults))}" for name, faults in form.errors.items())
    given = form.cleaned_data
    how = {"method": given["method"], "parameter": given["parameter"] or 5, "seed": given["seed"] or 0}
    what = {"statistic": choice.statistic.name, "variant": stored(run, choice.variant or ""), "category": slug}
    return run, {**what, **how}, ""


def map_data(found: MapRequest | None) -> dict[str, Any]:
    """Return a map as JSON data for the page."""
    if found is None:
        return {"state": "unasked"}
    if not found.answered:
        state = "waiting" if found.token is None else "working"
        return {"state": state, "nobody": presence.why_no_worker(Queue.GPU)}
    if found.error:
        return {"state": "failed", "error": found.error}
    return {
        "state": "done",
        "positions": found.positions,
        "left_out": found.left_out,
        "features": found.features,
        "features_left_out": found.features_left_out,
        "parameter": found.parameter_used,
        "told": found.told,
        "explained": found.explained,
    }
