"""The desk's pages of studies: the list, a new one, one with its results."""

from typing import Any

import polars as pl
from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from plumbline.annotation.study import results, sitting
from plumbline.annotation.study.forms import StudyForm
from plumbline.annotation.study.models import Study
from plumbline.annotation.study.questions import steps
from plumbline.pages import grid
from plumbline.pages.charts.histogram import bars
from plumbline.pages.responses import csv_attachment
from plumbline.pages.roles import needs_permission, viewers_only
from plumbline.spec.judgements import LEAST_RATERS

may_add = needs_permission("review.add_study")
may_change = needs_permission("review.change_study")
may_delete = needs_permission("review.delete_study")


def _counted() -> Any:
    finished, open_ = (Count("sittings", filter=Q(sittings__ended=ended)) for ended in (True, False))
    return Study.objects.select_related("run", "created_by").annotate(finished=finished, unfinished=open_)


@require_safe
@viewers_only
def study_list(request: HttpRequest) -> HttpResponse:
    return render(request, "annotation/study/list.html", {"studies": _counted().order_by("-pk")})


@require_safe
@may_add
def study_new(request: HttpRequest) -> HttpResponse:
    """Show the form; `?run=` fills in the number of the run."""
    form = StudyForm(initial={"run": request.GET.get("run", "")[:10]})
    return render(request, "annotation/study/new.html", {"form": form})


@require_POST
@may_add
def study_make(request: HttpRequest) -> HttpResponse:
    form = StudyForm(request.POST)
    if not form.is_valid():
        return render(request, "annotation/study/new.html", {"form": form})
    return redirect("study_page", form.make(request.user).pk)  # type: ignore[arg-type] # logged in


@require_safe
@viewers_only
def study_page(request: HttpRequest, number: int) -> HttpResponse:
    study = get_object_or_404(_counted(), pk=number)
    scales = results.scale_results(study)
    context: dict[str, Any] = {
        "study": study,
        "link": request.build_absolute_uri(f"/annotation/studies/{study.pk}/sit/"),
        "steps": steps(study),
        "least": LEAST_RATERS,
        "tasks": results.task_results(study),
        "scales": [(one, bars([count for _, count in one.counts])) for one in scales],
        "texts": results.text_results(study) if request.user.has_perm("review.change_study") else [],
    }
    return render(request, "annotation/study/page.html", context)


@require_POST
@may_change
def study_close(request: HttpRequest, number: int) -> HttpResponse:
    sitting.close(get_object_or_404(Study, pk=number))
    messages.success(request, "The study is closed, and no longer knows who gave which answers.")
    return redirect("study_page", number)


@require_POST
@may_change
def study_tidy(request: HttpRequest, number: int) -> HttpResponse:
    """Delete the unfinished sittings of a closed study with their answers."""
    deleted = sitting.delete_unfinished(get_object_or_404(Study, pk=number))
    messages.success(request, f"{deleted} unfinished sitting{'' if deleted == 1 else 's'} deleted.")
    return redirect("study_page", number)


@require_POST
@may_delete
def study_delete(request: HttpRequest, number: int) -> HttpResponse:
    study = get_object_or_404(Study, pk=number)
    study.delete()
    messages.success(request, f"The study {study.title} and its answers are deleted.")
    return redirect("study_list")


@require_safe
@viewers_only
def study_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Return times, shares and counts. Own words are not in the file."""
    study = get_object_or_404(Study, pk=number)
    rows = results.rows(study)
    about = {"study": study.title, "least people of a question": str(LEAST_RATERS), "rows": str(len(rows))}
    text = grid.file(pl.DataFrame(rows, infer_schema_length=None), about)
    return csv_attachment(text, f"study-{study.pk}.csv")
