"""Pages that list the plans and runs that use a word list or a word."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from plumbline.desk.dependents import dependent_runs, dependent_runs_of_word
from plumbline.desk.plans.contents import entry_name
from plumbline.desk.plans.dependents import DependentPlan, dependent_plans
from plumbline.pages.roles import viewers_only
from plumbline.vocab.kinds import KINDS

CONTENT_KIND = {"traits": "attributes"}
"""The kinds that specs give to lists: trait lists are attributes."""


@require_safe
@viewers_only
def dependents(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """List the plans and runs that use a list, or with ?entry=ID those that use one of its entries."""
    if kind not in KINDS:
        raise Http404
    if not request.user.has_perm(f"vocab.view_{KINDS[kind].list_model._meta.model_name}"):
        raise PermissionDenied
    word_list = get_object_or_404(KINDS[kind].list_model, slug=slug)
    named = CONTENT_KIND.get(kind, kind)
    entry = None
    if number := request.GET.get("entry", ""):
        if not number.isascii() or not number.isdecimal() or len(number) > 18:
            raise Http404
        entry = get_object_or_404(word_list.entries, pk=int(number))
    words = [entry_name(frozen) for frozen in entry.contents()] if entry is not None else []
    plans = sorted(((one, _leaves_out(one, words)) for one in dependent_plans(named, slug)), key=_needs_a_look)
    found = dependent_runs(named, slug) if entry is None else dependent_runs_of_word(named, slug, entry)
    page = reverse(f"admin:vocab_{word_list._meta.model_name}_change", args=[word_list.pk])
    context = {
        "word_list": word_list,
        "entry": entry,
        "dependents": found,
        "plans": plans,
        "words": words,
        "page": page,
        "leaves_groups_out": named == "groups" and any(used.left_out for one, _ in plans for used in one.lists),
    }
    return render(request, "desk/dependents.html", context)


def _needs_a_look(row: tuple[DependentPlan, bool]) -> tuple[bool, bool]:
    """Order plans that cannot be launched first, then those that leave the word out, then the others."""
    plan, is_left_out = row
    return not any(one.gone for one in plan.lists), not is_left_out


def _leaves_out(one: DependentPlan, words: list[str]) -> bool:
    """Return whether the plan asks none of these words."""
    return bool(words) and all(map(one.leaves_out, words))
