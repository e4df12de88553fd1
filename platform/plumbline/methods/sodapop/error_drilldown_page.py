"""The pages of the drill-down from a word to the questions in which it misled the model."""

from dataclasses import asdict
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.methods.sodapop import error_drilldown as store
from plumbline.methods.sodapop.error_drilldown import MOST_QUESTIONS, Question
from plumbline.methods.sodapop.run_words import cells_of, context_of
from plumbline.pages.measure_file import measure_file
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.pages.word_search import has_word
from plumbline.spec.banks.contexts import filled

ROWS = 50
LONGEST_WORD = 200


@require_safe
@viewers_only
def misled(request: HttpRequest, number: int) -> HttpResponse:
    """Show the cells of `?word=`, or with `?context=` and `?name=` the questions of one cell."""
    context = run_context(request, number, "words")
    run: Run = context["run"]
    word = request.GET.get("word", "").strip()[:LONGEST_WORD]
    chosen = {key: request.GET.get(key, "") for key in ("context", "name", "group")}
    context |= {"word": word, "wanted": chosen, "most": MOST_QUESTIONS, "scored": not run.is_in_text}
    context |= _found(request, run, word, chosen) if word else {}
    return render(request, "sodapop/error_drilldown.html", context)


def _found(request: HttpRequest, run: Run, word: str, chosen: dict[str, str]) -> dict[str, Any]:
    if chosen["context"] and chosen["name"]:
        asked = context_of(run, chosen["context"])
        every = [one for one in store.questions(run.pk, word, chosen["context"], chosen["name"]) if _is_in(one, word)]
        misleading = [one for one in every if has_word(one.misled_by or "", word)]
        shown = every if request.GET.get("all") else misleading
        texts = (filled(asked.context, chosen["name"]), filled(asked.question, chosen["name"])) if asked else None
        counts = {"every": len(every), "misleading": len(misleading), "all": bool(request.GET.get("all"))}
        return {"page": _page(request, shown), "texts": texts, **counts}
    cells = cells_of(run, word, chosen["group"])
    return {"page": _page(request, cells), "cells": True, "groups": sorted({one.group for one in cells_of(run, word)})}


def _page(request: HttpRequest, rows: list[Any]) -> Any:
    return Paginator(rows, ROWS).get_page(request.GET.get("page"))


def _is_in(question: Question, word: str) -> bool:
    return any(has_word(text, word) for text in question.options[1:])


@require_safe
@viewers_only
def misled_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Return the word's cells as a file."""
    run: Run = run_context(request, number, "words")["run"]
    word = request.GET.get("word", "").strip()[:LONGEST_WORD]
    return measure_file(run, "misled", [{"word": word, **asdict(one)} for one in cells_of(run, word)])
