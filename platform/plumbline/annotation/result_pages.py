"""Results of tasks: groups in order along traits, with people's ratings (Table 5), or ratings of distractors."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from plumbline.annotation import matches, task_results, validation_result_page, working
from plumbline.annotation.files import task_file
from plumbline.annotation.matches import Match
from plumbline.annotation.models import AnnotationTask, Kind
from plumbline.annotation.ordering import agreement
from plumbline.annotation.task_pages import task_or_404
from plumbline.pages.addresses import numbered
from plumbline.pages.charts.histogram import bars
from plumbline.pages.roles import viewers_only
from plumbline.spec.judgements import LEAST_RATERS, Judgements
from plumbline.vocab.distributions import judgements_in
from plumbline.vocab.models import RatingList


@require_safe
@viewers_only
def annotation_results(request: HttpRequest, number: int) -> HttpResponse:
    task = task_or_404(number)
    if not working.may_see_results(task, request.user):  # type: ignore[arg-type] # logged in
        return _not_yet(request, task)
    if task.kind == Kind.VALIDATION:
        return validation_result_page.page(request, task)
    answers = task_results.people(task)
    context: dict[str, Any] = {"task": task, "annotators": len(answers)}
    if answers and task.kind == Kind.MAPPING:
        context |= _of_mapping(request, task, answers)
    elif answers:
        context["aspects"] = [(one, bars(one.distribution.histogram)) for one in task_results.of_ratings(answers)]
    page = "annotation/mapping.html" if task.kind == Kind.MAPPING else "annotation/rating.html"
    return render(request, page, context)


def _not_yet(request: HttpRequest, task: AnnotationTask) -> HttpResponse:
    messages.info(request, "You can see the results after you have ended or declined the task.")
    return redirect("annotation_task", task.pk)


def _of_mapping(request: HttpRequest, task: AnnotationTask, answers: list[task_results.Person]) -> dict[str, Any]:
    words = task_results.words(task, answers)
    pairs: list[tuple[str, str]] = [(a, b) for a, b in task.chosen["groups"]]
    place = numbered(request, "pair", pairs)
    pair = pairs[place]
    return {
        "words": words,
        "between": task_results.of_mapping(task, answers),
        "pairs": pairs,
        "place": place,
        "pair": pair,
        **_table(request, task, words, pair),
    }


def _table(
    request: HttpRequest, task: AnnotationTask, words: list[task_results.Word], pair: tuple[str, str]
) -> dict[str, Any]:
    """Return Table 5 for two groups, with people's column if the chosen rating list has groups that match."""
    ours = task_results.table(task, words, *pair)
    lists = list(RatingList.objects.values_list("slug", flat=True))
    slug = request.GET.get("ratings", lists[0] if lists else "")
    people = _people(request, task, slug, pair) if slug in lists else {"match": None}
    theirs = people.pop("rated", None)
    rows = list(zip(ours, theirs or [None] * len(ours), strict=True))
    signs = [(one.sign, other.sign) for one, other in rows if other is not None]
    strong = [(one.sign, other.sign) for one, other in rows if other is not None and other.mark == "†"]
    held = {"agreement": agreement(signs), "agreement_strong": agreement(strong)} if theirs else {}
    return {"rows": rows, "lists": lists, "slug": slug, "least": LEAST_RATERS, **people, **held}


def _people(request: HttpRequest, task: AnnotationTask, slug: str, pair: tuple[str, str]) -> dict[str, Any]:
    judged = judgements_in(slug)
    match = _match(request, judged, pair)
    parts = dict(judged.parts())
    part = request.GET.get("raters", "") if request.GET.get("raters", "") in parts else ""
    found: dict[str, Any] = {"match": match, "rated_groups": judged.groups, "parts": list(parts), "part": part}
    if match:
        found["rated"] = task_results.rated(judged, task.chosen["traits"], match.a, match.b, parts.get(part))
    return found


def _match(request: HttpRequest, judged: Judgements, pair: tuple[str, str]) -> Match | None:
    """Return the reader's choice, else the curated match, if the list has both groups."""
    chosen = (request.GET.get("rated_a", ""), request.GET.get("rated_b", ""))
    proposed = matches.proposed(*pair)
    if all(one in judged.groups for one in chosen) and chosen[0] != chosen[1]:
        if proposed and chosen == (proposed.a, proposed.b):
            return proposed
        return Match(*chosen, proposed=False)
    return proposed if proposed and {proposed.a, proposed.b} <= set(judged.groups) else None


@require_safe
@viewers_only
def annotation_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Return each word with each chosen pole, or each rating, as a file. Annotators are numbers."""
    task = task_or_404(number)
    if not working.may_see_results(task, request.user):  # type: ignore[arg-type] # logged in
        return _not_yet(request, task)
    if task.kind == Kind.VALIDATION:
        return validation_result_page.file(task)
    answers = task_results.people(task)
    if task.kind == Kind.RATING:
        return task_file(task, task_results.rating_rows(task, answers))
    rows = [
        {"word": one.text, "group": group, "compared_with": other, "pole": pole, "annotators": count}
        for one in task_results.words(task, answers)
        for group, other in one.sides
        for pole, count in one.votes or (("", 0),)
    ]
    return task_file(task, rows)
