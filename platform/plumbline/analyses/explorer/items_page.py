"""A run's items: what exactly was asked and answered? Filters in the address, pages by id."""

import math
from collections.abc import Iterable
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.analyses.explorer.apart import apart, by_difference
from plumbline.analyses.explorer.item_display import displayed, pin_address, unit_of_score
from plumbline.audits.sentence_words import sentence_words
from plumbline.pages.addresses import page_links, whole_number
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.pages.tabs import method_pages
from plumbline.results import items as store
from plumbline.results.items import Page, Wanted
from plumbline.spec.sentences import Words

ROWS = 50
FILTERS = ("group", "against", "attribute", "template", "scorable", "reason", "min", "max")
WHOLE_TEMPLATES = frozenset(("attribute", "template"))
"""The filters that leave all groups of a template in place."""
TWO_GROUPS = frozenset(("group", "against"))
"""Together these filters leave the two groups of a finding in place."""
BY_DIFFERENCE = "difference"
MOST_OFFERED = 1000
MOST_TOGETHER = 500
"""So many items of one word stand on one page, with the groups of a template side by side."""


@require_safe
@viewers_only
def items(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "items")
    run = context["run"]
    words = sentence_words(run)
    chosen = {name: request.GET[name].strip() for name in FILTERS if request.GET.get(name, "").strip()}
    wanted = _wanted(chosen, words)
    together = _together(run.pk, wanted)
    page = together or store.page(
        run.pk, wanted, ROWS, after=whole_number(request, "after"), before=whole_number(request, "before")
    )
    differences = apart(page.items) if together and _is_comparable(chosen) else {}
    is_sorted = bool(differences) and request.GET.get("order") == BY_DIFFERENCE
    rows = by_difference(page.items, differences, chosen.get("group", "")) if is_sorted else page.items
    context |= {
        "displayed": [displayed(one, words) for one in rows],
        "differences": differences,
        "is_sorted": is_sorted,
        "query": urlencode(chosen),
        "pins": {one.id: pin_address(run, one) for one in page.items},
        "chosen": chosen,
        "groups": list(words.groups)[:MOST_OFFERED],
        "attributes": list(words.attributes)[:MOST_OFFERED],
        "reasons": store.reasons(run.pk),
        "links": page_links(
            chosen, [one.id for one in page.items], more_before=page.more_before, more_after=page.more_after
        ),
        "reading": method_pages(run.probe).reading(run),
        "unit": unit_of_score(run),
    }
    return render(request, "explorer/items.html", context)


def _is_comparable(chosen: dict[str, str]) -> bool:
    """Return whether the items of a template are those of all groups, or of the two that are compared."""
    return set(chosen) - WHOLE_TEMPLATES in (set(), TWO_GROUPS)


def _together(run: int, wanted: Wanted) -> Page | None:
    """Return the items of one word on one page, or None if several words are wanted or there are too many items."""
    if wanted.attributes is None or len(wanted.attributes) != 1:
        return None
    found = store.together(run, wanted, MOST_TOGETHER)
    return None if found is None else Page(found, more_before=False, more_after=False)


def _wanted(chosen: dict[str, str], words: Words) -> Wanted:
    return Wanted(
        groups=_groups(chosen, words),
        attributes=_attributes(chosen.get("attribute"), words),
        templates=_containing(chosen.get("template"), words.templates),
        reason=chosen.get("reason"),
        scorable={"yes": True, "no": False}.get(chosen.get("scorable", "")),
        lowest=_number(chosen.get("min")),
        highest=_number(chosen.get("max")),
    )


def _groups(chosen: dict[str, str], words: Words) -> list[str] | None:
    named = [_named(chosen.get(name), words.groups) for name in ("group", "against")]
    return [label for labels in named for label in labels or ()] if any(one is not None for one in named) else None


def _attributes(text: str | None, words: Words) -> list[str] | None:
    """Return the attributes that match a text. A pair of opposites matches both of its poles."""
    poles = words.poles.get(text or "")
    return [*poles] if poles else _named(text, words.attributes)


def _named(text: str | None, labels: Iterable[str]) -> list[str] | None:
    """Return the label that equals the text, else all labels that contain it."""
    if text is None:
        return None
    return [text] if text in labels else _containing(text, labels)


def _containing(text: str | None, labels: Iterable[str]) -> list[str] | None:
    return None if text is None else [label for label in labels if text.casefold() in label.casefold()]


def _number(text: str | None) -> float | None:
    """Return the text as a number, or None if it is not a finite number."""
    try:
        number = float(text) if text else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None
