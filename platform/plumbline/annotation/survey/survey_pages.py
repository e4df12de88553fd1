"""The desk's pages of surveys: the list, one survey with its links, releases and results, and a new one."""

from typing import Any

import polars as pl
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from plumbline.annotation.survey import releasing, results
from plumbline.annotation.survey.forms import InvitationForm, SurveyForm
from plumbline.annotation.survey.inviting import BEGINS_PER_MINUTE, invite
from plumbline.annotation.survey.models import Survey
from plumbline.annotation.survey.step_display import PREVIEWED, preview_of
from plumbline.pages import grid
from plumbline.pages.addresses import numbered
from plumbline.pages.responses import csv_attachment
from plumbline.pages.roles import needs_permission, viewers_only
from plumbline.spec.errors import InputError
from plumbline.spec.judgements import LEAST_RATERS

CHANGE = "review.change_survey"
may_add = needs_permission("review.add_survey")
may_change = needs_permission(CHANGE)
may_delete = needs_permission("review.delete_survey")
CAVEAT = "Raters said how they think society views the groups, not what people are."


@require_safe
@viewers_only
def survey_list(request: HttpRequest) -> HttpResponse:
    surveys = Survey.objects.select_related("created_by")
    rows = [(one, results.progress(one)) for one in surveys]
    return render(request, "annotation/survey/list.html", {"rows": rows})


@require_safe
@may_add
def survey_new(request: HttpRequest) -> HttpResponse:
    return render(request, "annotation/survey/new.html", {"form": SurveyForm()})


@require_POST
@may_add
def survey_make(request: HttpRequest) -> HttpResponse:
    form = SurveyForm(request.POST)
    if not form.is_valid():
        return render(request, "annotation/survey/new.html", {"form": form})
    return redirect("survey_page", form.make(request.user).slug)  # type: ignore[arg-type] # logged in


def survey_or_404(slug: str) -> Survey:
    return get_object_or_404(Survey.objects.select_related("wording", "other_wording", "created_by"), slug=slug)


@require_safe
@viewers_only
def survey_page(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, survey_or_404(slug), InvitationForm())


def _page(request: HttpRequest, survey: Survey, form: InvitationForm) -> HttpResponse:
    released = results.released(survey)
    context: dict[str, Any] = {
        "survey": survey,
        "progress": results.progress(survey),
        "released": released,
        "pilot": results.pilot(released),
        "ready": any(one.ready for one in released),
        "releases": survey.releases.select_related("made_by", "wording"),
        "least": LEAST_RATERS,
        "per_minute": BEGINS_PER_MINUTE,
        "form": form,
    }
    if request.user.has_perm(CHANGE):
        links = survey.invitations.all()
        context["links"] = [(one, request.build_absolute_uri(f"/survey/{one.token}/")) for one in links]
    return render(request, "annotation/survey/page.html", context)


@require_safe
@viewers_only
def survey_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a page as people see it, by `?page=`; `?wording=other` shows the second wording. Nothing is stored."""
    survey = survey_or_404(slug)
    wording = survey.wordings[-1] if request.GET.get("wording") == "other" else survey.wording
    page = numbered(request, "page", PREVIEWED)
    context = preview_of(survey, wording, PREVIEWED[page])
    context |= {"wording": wording, "page": page, "previewed": list(enumerate(PREVIEWED))}
    return render(request, "annotation/survey/preview.html", context)


@require_POST
@may_change
def survey_invite(request: HttpRequest, slug: str) -> HttpResponse:
    survey, form = survey_or_404(slug), InvitationForm(request.POST)
    if not form.is_valid():
        return _page(request, survey, form)
    invite(survey, **form.cleaned_data)
    messages.success(request, "The link is ready.")
    return redirect("survey_page", slug)


@require_POST
@may_change
def survey_close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close the survey, or open it again. People who have begun may finish."""
    survey = survey_or_404(slug)
    survey.closed = not survey.closed
    survey.save(update_fields=["closed"])
    messages.success(request, "The survey is closed." if survey.closed else "The survey is open again.")
    return redirect("survey_page", slug)


@require_POST
@may_change
def survey_link(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Close a link (nobody begins), open it again, or revoke it (nobody continues either, for good)."""
    link = get_object_or_404(survey_or_404(slug).invitations, pk=number)
    if request.POST.get("revoke"):
        link.revoked = True
    else:
        link.closed = not link.closed
    link.save(update_fields=["revoked", "closed"])
    state = "revoked" if link.revoked else "closed" if link.closed else "open"
    messages.success(request, f"The link for {link.label} is {state}.")
    return redirect("survey_page", slug)


@require_POST
@may_change
def survey_release(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        made = releasing.release(survey_or_404(slug), request.user)
    except InputError as error:
        messages.error(request, f"Not released: {error}")
    else:
        ratings = sum(one.about["ratings"] for one in made)
        messages.success(request, f"{ratings:,} ratings are released.")
    return redirect("survey_page", slug)


@require_POST
@may_delete
def survey_delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a survey with its links and unreleased answers. Released rating lists stay."""
    survey = survey_or_404(slug)
    survey.delete()
    messages.success(request, f"The survey {survey.title} is deleted. Released ratings stay in their list.")
    return redirect("survey_list")


@require_safe
@viewers_only
def survey_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the released cells: group, pair, raters, mean and standard deviation."""
    survey = survey_or_404(slug)
    rows = [
        {"list": part.slug, "group": one.group, "left": one.left, "right": one.right, "raters": one.n}
        | {"mean": one.mean, "sd": one.sd}
        for part in results.released(survey)
        for one in part.cells
    ]
    about = {"survey": survey.title, "least raters of a cell": str(LEAST_RATERS), "caveat": CAVEAT}
    text = grid.file(pl.DataFrame(rows, infer_schema_length=None), about | {"rows": str(len(rows))})
    return csv_attachment(text, f"survey-{survey.slug}.csv")
