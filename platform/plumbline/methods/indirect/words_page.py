"""Requests of the indirect page for added words."""

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits import presence
from plumbline.audits.models import AddedWord, Run, WordKind
from plumbline.audits.progress import progress
from plumbline.audits.states import LIVE, Queue, RunState
from plumbline.methods.indirect.added_word_spec import forms_needed
from plumbline.methods.indirect.added_words import (
    LONGEST,
    MOST_WORDS,
    add_word,
    present_words,
    remove_word,
    restore_word,
)
from plumbline.methods.indirect.explorer_page import run_of
from plumbline.methods.indirect.materials import IndirectMaterials
from plumbline.methods.indirect.words import groups_in, materials_of
from plumbline.pages.json_errors import first_fault, json_error
from plumbline.pages.roles import may_launch, viewers_only
from plumbline.spec.content import Attribute
from plumbline.spec.errors import InputError

STATES = {RunState.PLANNING: "waiting", RunState.QUEUED: "working", RunState.RUNNING: "working"}


class WordForm(forms.Form):
    """A word with the forms that the run's sentences need."""

    kind = forms.ChoiceField(choices=WordKind.choices)
    word = forms.CharField(max_length=LONGEST)
    list = forms.CharField(max_length=300, required=False)
    plural = forms.CharField(max_length=LONGEST, required=False)
    article = forms.CharField(max_length=20, required=False)
    group = forms.CharField(max_length=LONGEST, required=False)


@require_safe
@viewers_only
@never_cache
def indirect_words(request: HttpRequest, number: int) -> JsonResponse:
    """Return the added words with their states, and the forms that a further word needs."""
    run = run_of(number)
    words = [_told(one) for one in present_words(run).select_related("small", "added_by")]
    waits = any(one["state"] in ("waiting", "working") for one in words)
    materials = materials_of(run)
    return JsonResponse(
        {
            "words": words,
            "nobody": presence.why_no_worker(Queue.GPU) if waits else "",
            "most": MOST_WORDS,
            "forms": _forms(materials) if materials else {},
        }
    )


@require_POST
@may_launch
def indirect_word_add(request: HttpRequest, number: int) -> HttpResponse:
    """Add a word. Returns 400 with the error of an invalid word, before any request to a model."""
    run, form = run_of(number), WordForm(request.POST)
    if not form.is_valid():
        return json_error(first_fault(form))
    given = form.cleaned_data
    word = Attribute(text=given["word"], **{name: given[name] for name in ("plural", "article", "group")})
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may launch
    try:
        added = add_word(run, given["kind"], given["list"] if given["kind"] == "feature" else "", word, request.user)
    except InputError as error:
        return json_error(str(error))
    return JsonResponse(_told(added))


@require_POST
@may_launch
def indirect_word_take(request: HttpRequest, number: int, word: int) -> HttpResponse:
    """Remove an added word and cancel its run if it is live."""
    remove_word(_word(number, word))
    return JsonResponse({})


@require_POST
@may_launch
def indirect_word_give(request: HttpRequest, number: int, word: int) -> HttpResponse:
    """Restore a removed word."""
    try:
        return JsonResponse(_told(restore_word(_word(number, word))))
    except InputError as error:
        return json_error(str(error))


def _word(number: int, word: int) -> AddedWord:
    return get_object_or_404(AddedWord.objects.select_related("run", "small", "added_by"), pk=word, run=run_of(number))


def _told(word: AddedWord) -> dict[str, Any]:
    small = word.small
    return {
        "id": word.pk,
        "word": word.word,
        "kind": word.kind,
        "list": word.category,
        "by": str(word.added_by or "somebody"),
        "at": word.added_at.isoformat(),
        "small": small.pk,
        "state": STATES.get(RunState(small.state), small.state),
        "error": small.error,
        "seconds": (small.finished_at - word.added_at).total_seconds() if small.finished_at else None,
        **_how_far(small),
    }


def _how_far(small: Run) -> dict[str, Any]:
    if small.state not in LIVE or not small.planned_items:
        return {"done": 0, "items": 0}
    found = progress(small)
    return {"done": found.items_done, "items": found.items or 0}


def _forms(materials: IndirectMaterials) -> dict[str, Any]:
    """Return the forms that a new target and a new feature of each list need.

    `groups` are those that a list's words name.
    """
    lists = dict.fromkeys(materials.categories)
    return {
        "target": {"needs": forms_needed(materials, "target", ""), "groups": []},
        "features": {
            slug: {
                "needs": forms_needed(materials, "feature", slug),
                "groups": sorted(set(groups_in(materials, slug).values())),
            }
            for slug in lists
        },
    }
