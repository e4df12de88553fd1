"""The page of pronouns: does a model's bias reach a task? P(neither) by gender, the topics, and their passages."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import F, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.methods.gap import passages as shapes
from plumbline.methods.gap.findings import DIFFERENCES, neither_sentence
from plumbline.methods.gap.spec import CARD, SEEN
from plumbline.pages.charts.scatter import Point, Scatter, scatter
from plumbline.pages.measure_file import measure_file, measure_rows
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.results import models
from plumbline.results.summary import measures, of_run
from plumbline.spec.banks.passages import NEITHER
from plumbline.spec.measure import Measure

TABLES = {
    "genders": (*shapes.OF_GENDERS, *DIFFERENCES),
    "topics": (*shapes.OF_TOPICS, shapes.CORRELATION),
}
PASSAGES = 25
TERMS = ("item", "group", "options", "condition", "reason")
ANSWERS = {
    "right": Q(chosen=F("gold")),
    "wrong": Q(chosen__isnull=False) & ~Q(chosen=F("gold")),
    "none": Q(chosen__isnull=True),
}
"""The filters of answers, by their word in the address."""


@require_safe
@viewers_only
def run_pronouns(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "pronouns")
    run: Run = context["run"]
    found = _found(run, shapes.STATISTICS)
    by_name = {one.statistic: one for one in found if one.statistic in DIFFERENCES}
    topics = shapes.topics(found)
    difference, excess = (by_name.get(name) for name in DIFFERENCES)
    context |= {
        "statistics": {one.name: one for one in CARD.statistics},
        "genders": shapes.genders(found),
        "difference": difference,
        "excess": excess,
        "sentence": neither_sentence(run.model, difference, excess) if difference else "",
        "note": difference.reason.removeprefix(SEEN).removeprefix("; ") if difference else "",
        "topics": topics,
        "scatter": _scatter(topics),
        "correlations": [one for one in found if one.statistic == shapes.CORRELATION],
    }
    return render(request, "gap/pronouns.html", context)


def _found(run: Run, statistics: tuple[str, ...]) -> list[Measure]:
    return measures(of_run(run.pk, *statistics).order_by("pk"))


def _scatter(topics: list[shapes.Topic]) -> Scatter | None:
    return scatter(
        [
            Point(topic.bias.value, one.value, gender, f"{topic.name}, {gender}: {', '.join(topic.words[:5])}")
            for topic in topics
            for gender, one in topic.neither.items()
            if topic.bias.value is not None and one.value is not None
        ]
    )


@require_safe
@viewers_only
def run_pronouns_csv(request: HttpRequest, number: int, table: str) -> HttpResponse:
    """Return one table of the page as a file. Raises Http404 for an unknown table."""
    run: Run = run_context(request, number, "pronouns")["run"]
    if table not in TABLES:
        raise Http404(f"No such table. Choose from {', '.join(TABLES)}.")
    own = [one for one in CARD.statistics if one.name in TABLES[table]]
    return measure_file(run, table, measure_rows(_found(run, TABLES[table])), own)


@require_safe
@viewers_only
def run_passages(request: HttpRequest, number: int) -> HttpResponse:
    """Show the passages with their answers, a page at a time. `gender`, `really` and `answer` in the address filter."""
    context = run_context(request, number, "pronouns")
    run: Run = context["run"]
    chosen = {name: request.GET.get(name, "") for name in ("gender", "really", "answer")}
    page = Paginator(_records(run, chosen), PASSAGES).get_page(request.GET.get("page"))
    context |= {
        "page": page,
        "answers": shapes.answers(run, list(page.object_list)),
        "chosen": chosen,
        "filtered": any(chosen.values()),
        "genders": shapes.GENDERS,
    }
    return render(request, "gap/passages.html", context)


def _records(run: Run, chosen: dict[str, str]) -> QuerySet[Any]:
    """Return the records of passages. A run of another method has none."""
    found = models.Choice.objects.filter(run=run.pk, probe__text=CARD.probe).select_related(*TERMS).order_by("id")
    if chosen["gender"] in shapes.GENDERS:
        found = found.filter(group__text=chosen["gender"])
    if chosen["really"] in ("neither", "name"):
        is_neither = Q(gold=NEITHER)
        found = found.filter(is_neither if chosen["really"] == "neither" else ~is_neither)
    return found.filter(ANSWERS[chosen["answer"]]) if chosen["answer"] in ANSWERS else found
