"""Prior beliefs of readers about cells of an indirect run: store, show and export them."""

import csv
import io
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits.models import Run
from plumbline.methods.indirect.added_cells import with_added
from plumbline.methods.indirect.added_words import present_words
from plumbline.methods.indirect.beliefs import LONGEST_NOTE, Expectation, PriorBelief
from plumbline.methods.indirect.card import SCORE
from plumbline.methods.indirect.explorer_page import run_of
from plumbline.methods.indirect.words import materials_of
from plumbline.pages.json_errors import first_fault, json_error
from plumbline.pages.responses import csv_attachment
from plumbline.pages.roles import needs_permission, viewers_only
from plumbline.results import grid
from plumbline.vocab.cells import escape

MOST_BELIEFS = 2000
"""The most beliefs of one person on one run."""
COLUMNS = ("run", "model", "target", "feature", "list", "expects", "note", "person", "at", "score", "q_value", "reason")

may_believe = needs_permission("review.add_priorbelief")


class BeliefForm(forms.Form):
    """A cell and the expected relation."""

    target = forms.CharField(max_length=200, strip=False)
    feature = forms.CharField(max_length=200, strip=False)
    list = forms.CharField(max_length=300, required=False, strip=False)
    expects = forms.ChoiceField(choices=Expectation.choices)
    note = forms.CharField(max_length=LONGEST_NOTE, required=False)


@require_safe
@viewers_only
@never_cache
def indirect_beliefs(request: HttpRequest, number: int) -> JsonResponse:
    """Return the beliefs about one cell, the person's own first, and the number of the person's beliefs on the run."""
    run, own = run_of(number), PriorBelief.objects.filter(run=number, person=request.user.pk)
    where = {"category": request.GET.get("list", "")} | {
        name: request.GET.get(name, "") for name in ("target", "feature")
    }
    found = list(PriorBelief.objects.filter(run=run, **where).select_related("person")[:200])
    found.sort(key=lambda one: one.person_id != request.user.pk)
    return JsonResponse({"beliefs": [_told(one, request) for one in found], "own": own.count()})


def _told(belief: PriorBelief, request: HttpRequest) -> dict[str, Any]:
    return {
        "expects": belief.get_expects_display(),
        "note": belief.note,
        "who": str(belief.person or "somebody who left"),
        "own": belief.person_id == request.user.pk,
        "at": f"{belief.at:%Y-%m-%d %H:%M} UTC",
    }


@require_POST
@may_believe
def indirect_belief_keep(request: HttpRequest, number: int) -> JsonResponse:
    """Store a prior belief about a cell. Returns 400 with the reason if it cannot be stored."""
    run, form = run_of(number), BeliefForm(request.POST)
    if not form.is_valid():
        return json_error(first_fault(form))
    given = form.cleaned_data
    if not _has(run, given["target"], given["feature"], given["list"]):
        return json_error("This run has no such cell.")
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may
    if PriorBelief.objects.filter(run=run, person=request.user).count() >= MOST_BELIEFS:
        return json_error(f"You have stored {MOST_BELIEFS} prior beliefs on this run, which is the limit.")
    about = {"target": given["target"], "feature": given["feature"], "category": given["list"]}
    try:
        with transaction.atomic():
            PriorBelief.objects.create(
                run=run, model=run.model, person=request.user, expects=given["expects"], note=given["note"], **about
            )
    except IntegrityError:
        return json_error("You have already stored a prior belief about this cell. It cannot be changed.")
    return JsonResponse({})


def _has(run: Run, target: str, feature: str, category: str) -> bool:
    """Return whether these are words of the run, or were added to it."""
    materials = materials_of(run)
    if materials is None:
        return False
    added = list(present_words(run).values_list("kind", "category", "word"))
    targets = {one.text for one in materials.targets} | {word for kind, _, word in added if kind == "target"}
    features = {(one.text, slug) for one, slug in zip(materials.features, materials.categories, strict=True)}
    features |= {(word, slug) for kind, slug, word in added if kind == "feature"}
    return target in targets and (feature, category) in features


@require_safe
@viewers_only
def indirect_beliefs_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Return all prior beliefs on the run's cells with the scores, as CSV. No text is a formula to a spreadsheet."""
    run = run_of(number)
    cells = with_added(run, grid.cells(run.pk, SCORE), SCORE, None)
    beliefs = PriorBelief.objects.filter(run=run).select_related("person")
    wanted = {one.target for one in beliefs}
    known = {
        (one["group_a"], one["attribute"], one["category"]): one
        for one in cells.filter(cells["group_a"].is_in(list(wanted))).iter_rows(named=True)
    }
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    for one in beliefs:
        score = known.get((one.target, one.feature, one.category), {})
        words = [one.model, one.target, one.feature, one.category, one.expects, one.note, str(one.person or "")]
        figures = [score.get("value"), score.get("q_value"), escape(score.get("reason") or "")]
        rows.writerow([run.pk, *map(escape, words), one.at.isoformat(), *figures])
    return csv_attachment(text.getvalue(), f"run-{run.pk}-expected.csv")
