"""The evidence pack of a run as a file, streamed while it is made."""

from django.contrib import messages
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from plumbline.audits.models import Run
from plumbline.packing.pack import Choices, packed
from plumbline.pages.roles import needs_permission
from plumbline.spec.errors import InputError


@require_POST
@needs_permission("audits.view_run", "findings.view_finding")
def run_pack(request: HttpRequest, number: int) -> HttpResponseBase:
    """Send the pack, without names and without texts of banks. The activity log records it like each file."""
    run = get_object_or_404(Run, pk=number)
    try:
        content = packed(run, Choices())
    except InputError as error:
        messages.error(request, f"No pack was made: {error}")
        return redirect("run", run.pk)
    response = StreamingHttpResponse(content, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="run-{run.pk}-evidence.zip"'
    return response
