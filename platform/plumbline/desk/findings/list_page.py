"""The list of findings: what have we decided, and what is still to judge? Also as a file."""

from typing import Any

import polars as pl
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from plumbline.desk.findings.dependent_findings import dependence_sentence
from plumbline.desk.findings.rows import chosen, filters_of, offered, reviewers
from plumbline.findings.models import IDENTITY, Finding
from plumbline.findings.models.observations import COPIED
from plumbline.findings.sign_off.waiting import waiting_for
from plumbline.pages import grid
from plumbline.pages.measure_file import CAVEAT
from plumbline.pages.responses import csv_attachment
from plumbline.pages.roles import viewers_only

ROWS_PER_PAGE = 50
TO_SIGN_SHOWN = 5


@require_safe
@viewers_only
@never_cache
def finding_list(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    filters = filters_of(request)
    page = Paginator(chosen(filters, request.user), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": page.object_list,
        "dependence": dependence_sentence(page.object_list),
        "chosen": filters.given,
        "reviewers": reviewers(),
        "to_sign": waiting_for(request.user)[:TO_SIGN_SHOWN],
        "query": request.GET.urlencode(),
        **offered(),
    }
    return render(request, "desk/findings.html", context)


@require_safe
@viewers_only
def findings_csv(request: HttpRequest) -> HttpResponse:
    """Return the chosen findings with their latest figures as a CSV file. No text in it is a formula."""
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    filters = filters_of(request)
    rows = [_row(one) for one in chosen(filters, request.user)]
    about = {"title": "findings", "rows": str(len(rows)), "caveat": CAVEAT}
    about |= {"filters": ", ".join(f"{name}: {text}" for name, text in filters.given.items()) or "none"}
    frame = pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame({"finding": []})
    return csv_attachment(grid.file(frame, about), "findings.csv")


def _row(one: Finding) -> dict[str, Any]:
    latest = one.latest
    return {
        "finding": one.pk,
        "sentence": latest.sentence if latest else "",
        "state": one.state,
        "reason": one.reason,
        "judged_by": one.judged_name,
        "judged_at": f"{one.judged_at:%Y-%m-%d %H:%M}" if one.judged_at else "",
        "votes_for": getattr(one, "votes_for", 0),
        "votes_against": getattr(one, "votes_against", 0),
        "assignee": one.assignee.get_username() if one.assignee else "",
        "due_on": one.due_on.isoformat() if one.due_on else "",
        "run": latest.run_number if latest else None,
        "release": latest.release if latest else "",
        "outcome": latest.outcome if latest else "",
        **{name: getattr(latest, name) if latest else None for name in COPIED},
        **{name: getattr(one, name) for name in IDENTITY},
    }
