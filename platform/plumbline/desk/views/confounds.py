"""The page on confounds of a list: could word frequency or subwords explain differences between its groups?"""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits import presence, questions
from plumbline.audits.models import ModelUnderAudit, SpellingRequest, WordTest
from plumbline.audits.states import Queue
from plumbline.audits.word_materials import word_material
from plumbline.audits.words import FORMS
from plumbline.desk.confounds import confounds_of
from plumbline.desk.frequency import frequencies_of
from plumbline.desk.views.dependents import CONTENT_KIND
from plumbline.pages.roles import needs_permission, viewers_only
from plumbline.spec.errors import InputError
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import NameList

may_ask = needs_permission("audits.add_run")
CALLED = {"names": ("name", "group"), "groups": ("word", "group"), "attributes": ("word", "category")}
"""For each kind of list, the names of its words and of its parts."""
ASKED_SHOWN = 5


class AskForm(forms.Form):
    model = forms.ModelChoiceField(ModelUnderAudit.objects.all(), label="Model under audit", empty_label="Choose one")


@require_safe
@viewers_only
def confounds(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Show the confounds of one list."""
    word_list, of_kind = _viewable_list(request, kind, slug)
    material = word_material(of_kind, slug)
    asked = questions.known_word_tests(material)
    found = asked.found if asked else {}
    context = {
        "word_list": word_list,
        "kind": kind,
        "word": CALLED[of_kind][0],
        "part": CALLED[of_kind][1],
        "page": reverse(f"admin:vocab_{word_list._meta.model_name}_change", args=[word_list.pk]),
        "words": len(material.part_of),
        "names": isinstance(word_list, NameList),
        "frequencies": frequencies_of(getattr(word_list, "frequency_source", ""), material, found.get("frequency")),
        "tokenizers": confounds_of(material, found),
        "tests": _state(asked),
        "tests_error": asked.error if asked else "",
        "asked": SpellingRequest.objects.filter(kind=of_kind, slug=slug).select_related("model")[:ASKED_SHOWN],
        "nobody": presence.why_no_worker(Queue.GPU),
        "form": AskForm(),
        "fewest": WordTest.FEWEST_WORDS,
        "fewest_pairs": WordTest.FEWEST_PAIRS,
    }
    return render(request, "desk/confounds.html", context)


def _state(asked: WordTest | None) -> str:
    """Return the state of the tests for the page: `unasked`, `waiting`, `failed` or `done`."""
    if asked is None:
        return "unasked"
    if not asked.answered:
        return "waiting"
    return "failed" if asked.error else "done"


@require_POST
@viewers_only
def confounds_test(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Ask a worker to test the words. Viewers of the list may do so: it asks no model, and the result is stored."""
    _, of_kind = _viewable_list(request, kind, slug)
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may see the list
    questions.ask_word_tests(of_kind, slug, by=request.user)
    return redirect("confounds", kind, slug)


@require_POST
@may_ask
def confounds_ask(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Ask a worker to split the words of the list for a model."""
    _, of_kind = _viewable_list(request, kind, slug)
    form = AskForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose a model under audit whose tokenizer splits the words.")
        return redirect("confounds", kind, slug)
    model = form.cleaned_data["model"]
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may ask
    try:
        asked = questions.ask_spelling(model, of_kind, slug, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{model}: {'a worker was asked' if asked else 'a worker was already asked'}.")
    return redirect("confounds", kind, slug)


def _viewable_list(request: HttpRequest, kind: str, slug: str) -> tuple[Any, str]:
    """Return the list and the kind that specs give it. Raises Http404 for a kind without words of its own."""
    of_kind = CONTENT_KIND.get(kind, kind)
    if kind not in KINDS or of_kind not in FORMS:
        raise Http404
    model = KINDS[kind].list_model
    if not request.user.has_perm(f"vocab.view_{model._meta.model_name}"):
        raise PermissionDenied
    return get_object_or_404(model, slug=slug), of_kind
