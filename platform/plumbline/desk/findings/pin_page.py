"""Pinning: a person makes a finding of any measure or item of a run, and says why."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits.models import Run
from plumbline.desk.findings.actions import may_judge
from plumbline.findings.identity import LABELS
from plumbline.findings.pinning import pin
from plumbline.findings.plain_sentences import plain_sentence
from plumbline.findings.updating import row_of
from plumbline.pages.run_context import run_context
from plumbline.spec.errors import InputError

LONGEST = 5000


@require_safe
@may_judge
def finding_pin(request: HttpRequest, number: int) -> HttpResponse:
    """Ask for the reason, and show what would be pinned."""
    context = run_context(request, number, "findings")
    labels = _labels(request.GET)
    context |= {"labels": labels, "sentence": plain_sentence(context["run"], row_of(context["run"], labels))}
    return render(request, "desk/finding_pin.html", context)


@require_POST
@may_judge
def finding_pin_save(request: HttpRequest, number: int) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    run = get_object_or_404(Run.objects.top_level(), pk=number)
    labels = _labels(request.POST)
    try:
        made = pin(run, labels, request.user, request.POST.get("note", ""))
    except InputError as error:
        messages.error(request, f"Nothing was pinned: {error}")
        return redirect(f"{reverse('finding_pin', args=[run.pk])}?{urlencode(labels)}")
    messages.success(request, "It is a finding now, and your note is its first comment.")
    return redirect("finding", made.pk)


def _labels(given: QueryDict) -> dict[str, str]:
    """Return the labels of a measure from a query or a form."""
    return {name: given.get(name, "")[:LONGEST] for name in LABELS}
