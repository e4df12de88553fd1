"""Requests of a check from the page of a model."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from plumbline.audits import presence, questions
from plumbline.audits.models import ModelUnderAudit
from plumbline.audits.states import Queue
from plumbline.pages.roles import may_launch


@require_POST
@may_launch
def model_check(request: HttpRequest) -> HttpResponse:
    """Have a worker check the model that the form names by `reference`."""
    model = get_object_or_404(ModelUnderAudit, reference=request.POST.get("reference", ""))
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may
    if questions.ask_check(model, by=request.user):
        messages.success(request, "A check is requested. Reload this page to see its answer.")
    else:
        messages.info(request, "This check is already requested. Reload this page to see its answer.")
    if nobody := presence.why_no_worker(Queue.GPU):
        messages.warning(request, f"No worker can check it now: {nobody}.")
    return redirect(reverse("model", query={"reference": model.reference}))
