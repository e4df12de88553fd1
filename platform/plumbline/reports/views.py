"""Reports as files, and the page of what they cover of laws and standards."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.desk.views.comparison import numbered_run
from plumbline.pages.roles import viewers_only
from plumbline.reports.documents import Document, on_model, on_run, on_two_runs
from plumbline.reports.law.versions import used_version
from plumbline.reports.models import Evidence, MappingVersion, Status
from plumbline.reports.rendering import CONTENT_TYPES, rendered
from plumbline.spec.errors import InputError

VERSIONS_SHOWN = 50


@require_safe
@viewers_only
@never_cache
def run_report(request: HttpRequest, number: int, kind: str) -> HttpResponse:
    run = get_object_or_404(Run.objects.select_related("plan", "created_by"), pk=number)
    return _file(request, kind, reverse("run", args=[number]), lambda by: on_run(run, by))


@require_safe
@viewers_only
@never_cache
def model_report(request: HttpRequest, kind: str) -> HttpResponse:
    reference = request.GET.get("reference", "")
    if not Run.objects.top_level().filter(model=reference).exists():
        raise Http404("No model of this reference was ever audited.")
    back = reverse("model", query={"reference": reference})
    return _file(request, kind, back, lambda by: on_model(reference, by))


@require_safe
@viewers_only
@never_cache
def comparison_report(request: HttpRequest, kind: str) -> HttpResponse:
    first, second = (numbered_run(request.GET.get(side, "")) for side in ("a", "b"))
    if first is None or second is None:
        raise Http404("Two runs are compared.")
    back = reverse("compare", query={"a": first.pk, "b": second.pk})
    return _file(request, kind, back, lambda by: on_two_runs(first, second, by))


def _file(request: HttpRequest, kind: str, back: str, make: Callable[[str], Document]) -> HttpResponse:
    """Return the report as a file, which the activity log records, or lead back with the reason why there is none."""
    try:
        report = make(request.user.get_username())
        response = HttpResponse(rendered(report, kind), content_type=CONTENT_TYPES[kind])
    except InputError as error:
        messages.error(request, f"There is no report: {error}")
        return redirect(back)
    response["Content-Disposition"] = f'attachment; filename="{report.slug}.{kind}"'
    return response


@require_safe
@viewers_only
def law(request: HttpRequest) -> HttpResponse:
    """Show the mapping of a version, by default of the one that a report would use now."""
    try:
        version = used_version(request.GET.get("version", ""))
    except InputError as error:
        raise Http404(str(error)) from None
    context = {
        "version": version,
        "frameworks": version.content["frameworks"],
        "statuses": dict(Status.choices),
        "evidence": dict(Evidence.choices),
        "versions": MappingVersion.objects.all()[:VERSIONS_SHOWN],
    }
    return render(request, "reports/law.html", context)
