"""The profile of a group: which pole of each pair does the model link with it, and which do people?"""

from textwrap import wrap
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from plumbline.analyses.alignment.page import ratings_named_by
from plumbline.analyses.alignment.profile_plot import profile as drawn
from plumbline.analyses.alignment.profiles import (
    asked_of,
    end_of,
    frame,
    groups_of,
    reliability_of,
    rows_of,
    statistic_of,
    tau_of,
)
from plumbline.findings.prior_agreement import prior_title
from plumbline.findings.robustness import is_banded
from plumbline.pages import grid
from plumbline.pages.grid_caption import CAVEAT
from plumbline.pages.responses import csv_attachment
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.pages.templatetags.figures import present
from plumbline.spec.judgements import LEAST_RATERS
from plumbline.spec.numbers import count

HEAD, LINE, LETTERS = 64, 18, 120
"""Pixels above the drawing and per text line below it, and letters per text line."""
PEOPLE = (
    "People said how they think society sees the group, from 0 (left trait) to 100 (right trait). The model uses"
    " another unit, so compare sides and ranks, not lengths."
)


@require_safe
@viewers_only
def profile(request: HttpRequest, number: int) -> HttpResponse:
    context = _profile(request, number)
    return render(request, "alignment/profile.html", context)


@require_safe
@viewers_only
def profile_svg(request: HttpRequest, number: int) -> HttpResponse:
    """Return the drawing as an SVG file that is complete without the page."""
    context = _shown(request, number)
    below = wrap(f"{context['labels']['people']} {context['caveat']}", LETTERS)
    context |= {"below": [(LINE * place, text) for place, text in enumerate(below, 1)]}
    context |= {"height": context["drawing"].height + HEAD + LINE * (len(below) + 2), "head": HEAD}
    response = HttpResponse(render_to_string("alignment/profile_alone.svg", context), content_type="image/svg+xml")
    response["Content-Disposition"] = f'attachment; filename="run-{number}-profile.svg"'
    return response


@require_safe
@viewers_only
def profile_csv(request: HttpRequest, number: int) -> HttpResponse:
    context = _shown(request, number)
    text = grid.file(frame(context["group"], context["rows"]), context["labels"])
    return csv_attachment(text, f"run-{number}-profile.csv")


def _shown(request: HttpRequest, number: int) -> dict[str, Any]:
    context = _profile(request, number)
    if not context.get("rows"):
        raise Http404("This run has no profile of such a group.")
    return context


def _profile(request: HttpRequest, number: int) -> dict[str, Any]:
    """Return the context of the page. Without pairs of opposites it has no `rows`. Http404 for an unknown group."""
    context = run_context(request, number, "profile")
    run, statistic = context["run"], statistic_of(context["card"])
    groups = groups_of(run.pk, statistic.name) if statistic else []
    context |= {"groups": groups, "statistic": statistic, "ratings": ratings_named_by(run.spec)}
    if statistic is None or not groups:
        return context
    group = request.GET.get("group") or groups[0]
    if group not in groups:
        raise Http404("This run has no profile of a group of this name.")
    statistic = context["card"].own(statistic)
    place = groups.index(group)
    asked = asked_of(run)
    reliability = reliability_of(run.pk, statistic.name, group)
    rows = rows_of(run.pk, statistic.name, group, asked, banded=is_banded(reliability))
    shown = [row for row in rows if present(row.measure)]
    return context | {
        "group": group,
        "previous": groups[place - 1] if place else "",
        "next": groups[place + 1] if place + 1 < len(groups) else "",
        "rows": rows,
        "priors": [prior_title(one) for one in rows[0].under_others],
        "depending": [row for row in rows if row.depends],
        "reliability": reliability if is_banded(reliability) else None,
        "present": [row for row in shown if not row.depends],
        "present_with_one": [row for row in shown if row.depends],
        "rated": any(row.people for row in rows),
        "tau": tau_of(run.pk, group) if context["ratings"] else None,
        "drawing": drawn(rows, end_of(run.pk, statistic.name)),
        "unit": statistic.unit,
        "least": LEAST_RATERS,
        "caveat": f"{statistic.caveat} {CAVEAT}",
        "labels": _labels(run, group, statistic, rows),
    }


def _labels(run: Any, group: str, statistic: Any, rows: Any) -> dict[str, str]:
    """Return the labels that an image or file must include."""
    counts = sorted(row.measure.n for row in rows)
    return {
        "title": f"Profile of {group}: {run.name}",
        "run": str(run.pk),
        "model": run.model,
        "date": f"{run.finished_at:%Y-%m-%d}" if run.finished_at else "not finished",
        "statistic": statistic.name,
        "unit": statistic.unit,
        "n": f"{' to '.join(map(count, sorted({counts[0], counts[-1]})))} items a pair",
        "people": PEOPLE if any(row.people for row in rows) else "no ratings of this group",
        "caveat": f"{statistic.caveat} {CAVEAT}",
    }
