"""The pages of wordings: all versions, and a new one."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from plumbline.annotation.survey import wordings
from plumbline.annotation.survey.forms import WordingForm
from plumbline.annotation.survey.models import SurveyWording
from plumbline.pages.roles import needs_permission, viewers_only

may_write = needs_permission("review.add_surveywording")


@require_safe
@viewers_only
def wording_list(request: HttpRequest) -> HttpResponse:
    """Show all versions, and a form filled with that of `?from=`."""
    chosen = request.GET.get("from", "")
    known = chosen.isascii() and chosen.isdecimal() and len(chosen) < 10
    start = get_object_or_404(SurveyWording, pk=int(chosen)) if known else None
    texts = {name: getattr(start, name) for name in ("slug", *wordings.TEXTS)} if start else None
    return _page(request, WordingForm(initial=texts))


@require_POST
@may_write
def wording_save(request: HttpRequest) -> HttpResponse:
    form = WordingForm(request.POST)
    made = form.make(request.user) if form.is_valid() else None  # type: ignore[arg-type] # logged in
    if made is None:
        return _page(request, form)
    messages.success(request, f"Saved: {made}.")
    return redirect("survey_wordings")


def _page(request: HttpRequest, form: WordingForm) -> HttpResponse:
    versions = SurveyWording.objects.select_related("created_by")
    return render(request, "annotation/survey/wordings.html", {"versions": versions, "form": form})
