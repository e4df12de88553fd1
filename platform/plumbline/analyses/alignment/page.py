"""The page that compares a run with people: does the model order groups and traits as people think society does?"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.analyses.alignment.findings import of_people
from plumbline.analyses.alignment.specification_curve import curve
from plumbline.analyses.alignment.statistics import EXCESS
from plumbline.analyses.alignment.tables import CONDITIONS, ORDERS, TAU, alignment_of
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context

CANDIDATES_LISTED = 100


@require_safe
@viewers_only
def alignment(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "alignment")
    run = context["run"]
    found = alignment_of(run.pk)
    parts = found.parts()
    part = request.GET.get("raters", "")
    part = part if any(one.name == part for one in parts) else ""
    order = request.GET.get("order", "tau") if request.GET.get("order") in ORDERS else "tau"
    candidates = found.candidates()
    context |= {
        "found": found,
        "ratings": ratings_named_by(run.spec),
        "has_key": context["card"] is not None and any(one.name == TAU for one in context["card"].statistics),
        "conditions": list(CONDITIONS.values()),
        "model": found.overall(TAU, "model"),
        "excess": found.overall(EXCESS.name, "model"),
        "told": of_people(run.pk, run.subject),
        "blind": found.overall(TAU, "group_blind"),
        "ceiling": found.overall(TAU, "human_ceiling"),
        "groups": found.of_groups(part, order),
        "parts": parts,
        "part": part,
        "order": order,
        "orders": [(key, label) for key, (label, _) in ORDERS.items()],
        "curve": curve(candidates),
        "candidates": candidates[:CANDIDATES_LISTED],
        "more_candidates": max(0, len(candidates) - CANDIDATES_LISTED),
    }
    return render(request, "alignment/page.html", context)


def ratings_named_by(spec: dict[str, object]) -> str:
    """Return the slug of the ratings that a spec names, "inline" for inline ratings, or "" for none."""
    human = spec.get("human")
    if isinstance(human, list):
        human = human[0] if human else None
    return "" if not human else str(human.get("list") or "inline") if isinstance(human, dict) else "inline"
