"""The page of a BBQ run's questions with their answers: filters in the address, pages by id."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.methods.bbq import choices as store
from plumbline.methods.bbq import labels
from plumbline.methods.bbq.choices import ANSWERS, MOST_COUNTED, Wanted
from plumbline.methods.bbq.item_display import answered_items, reading_of, samples_of
from plumbline.methods.bbq.question_texts import ids_like
from plumbline.pages.addresses import page_links, whole_number
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.pages.worked_examples import worked_examples
from plumbline.spec.banks.bbq_question import AMBIG, DISAMBIG, NAMES_SUFFIX, NEGATIVE, NON_NEGATIVE

ROWS = 20
LONGEST = 500
OF_RECORDS = ("category", "condition", "polarity", "template", "label", "reason", "answer")
OF_TEXTS = ("value", "differs", "code", "flagged")
"""Filters by the frozen questions instead of the records."""


@require_safe
@viewers_only
def run_bbq_items(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "bbq_items")
    run: Run = context["run"]
    chosen = {name: text for name in (*OF_RECORDS, *OF_TEXTS) if (text := _text(request, name))}
    after, before = (whole_number(request, name) for name in ("after", "before"))
    page = store.page(run.pk, _wanted(run, chosen), ROWS, after=after, before=before)
    context |= {
        "asked": answered_items(run, page.answers),
        "page": page,
        "most": MOST_COUNTED,
        "chosen": chosen,
        "categories": labels.categories(run.pk),
        "conditions": (AMBIG, DISAMBIG),
        "polarities": (NEGATIVE, NON_NEGATIVE),
        "answers": ANSWERS,
        "links": page_links(
            chosen, [one.id for one in page.answers], more_before=page.more_before, more_after=page.more_after
        ),
        "reading": reading_of(run),
        "samples": samples_of(run),
        "worked": worked_examples(run),
    }
    return render(request, "bbq/items.html", context)


def _text(request: HttpRequest, name: str) -> str:
    """Return the text; empty for one that a database cannot hold, since no question has it."""
    return request.GET.get(name, "").strip()[:LONGEST].replace("\x00", "")


def _wanted(run: Run, chosen: dict[str, str]) -> Wanted:
    named: dict[str, Any] = {
        "group" if name == "label" else name: chosen[name] for name in OF_RECORDS if name in chosen
    }
    return replace(Wanted(), **named, **_items(run, chosen))


def _items(run: Run, chosen: dict[str, str]) -> dict[str, Any]:
    """Return the items that the filters of frozen questions leave."""
    told: dict[str, Any] = {name: chosen[name] for name in OF_TEXTS if name in chosen and name != "flagged"}
    category = {"category": chosen.get("category", "").removesuffix(NAMES_SUFFIX)}
    found: dict[str, Any] = {}
    if told or chosen.get("flagged") == "yes":
        found["items"] = ids_like(run, {**category, **told, "flagged": chosen.get("flagged") == "yes"})
    if chosen.get("flagged") == "no":
        found["but_items"] = ids_like(run, {**category, "flagged": True})
    return found
