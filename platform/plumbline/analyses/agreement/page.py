"""The page of a model on its methods: do they say the same of the same groups and words?

A worker computes the answer, which is stored with the runs on which it rests.
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits import agreements, presence
from plumbline.audits.models import MethodAgreement, ModelUnderAudit, Run
from plumbline.audits.states import Queue
from plumbline.findings import method_agreement as wording
from plumbline.pages.roles import viewers_only
from plumbline.spec.errors import InputError

MOST_SHOWN = 50
"""The most contradictions of a pair that the page shows. The command prints all that are stored."""


@require_safe
@viewers_only
def method_agreement(request: HttpRequest) -> HttpResponse:
    """Show the stored agreement of the methods of one model. Raises Http404 for a model without runs."""
    reference = _reference(request.GET.get("reference", ""))
    known, latest = agreements.known_agreement(reference), agreements.latest_request(reference)
    runs = agreements.compared_runs(reference)
    waiting = latest is not None and not latest.answered
    context: dict[str, Any] = {
        "reference": reference,
        "known": known,
        "runs": runs,
        "enough": len({run.probe for run in runs}) > 1,
        "outdated": known is not None and agreements.is_outdated(known),
        "waiting": waiting,
        "nobody": presence.why_no_worker(Queue.GPU) if waiting else "",
        "error": latest.error if latest else "",
        **_pairs(known),
    }
    return render(request, "agreement/page.html", context)


def _pairs(known: MethodAgreement | None) -> dict[str, Any]:
    """Return the pairs that could be compared, and the sentences of those that share too little."""
    found = known.found if known else []
    compared = [row for row in found if not wording.too_little(row) or row["compared"]]
    return {
        "pairs": [_pair(row) for row in compared],
        "apart": [wording.agreement_sentence(row) for row in found if row not in compared],
        "rested": Run.objects.filter(pk__in=[number for number, _ in known.runs]).count() if known else 0,
    }


def _pair(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "row": row,
        "sentence": wording.agreement_sentence(row),
        "tau": wording.tau_text(row) if row["tau"] is not None else "",
        "figures": wording.agreement_figures(row),
        "same_order": " ".join(filter(None, (wording.same_order(row), wording.equal_scores(row)))),
        "why": wording.why_sentences(row),
        "contradicting": wording.contradiction_sentence(row),
        "left_out": sum(row["kinds"].values()) - min(len(row["contradictions"]), MOST_SHOWN),
        "listed": [_listed(one) for one in row["contradictions"][:MOST_SHOWN]],
    }


def _listed(one: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": wording.KINDS[one["kind"]],
        "groups": " minus ".join(one["groups"]),
        "word": one["word"],
        "a": wording.estimate_text(one["a"]),
        "b": wording.estimate_text(one["b"]),
    }


@require_POST
@viewers_only
def method_agreement_ask(request: HttpRequest) -> HttpResponse:
    """Ask a worker to compare the methods of a model. Viewers may do so: it asks no model, and the result is stored."""
    reference = _reference(request.POST.get("reference", ""))
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may see the model
    try:
        if not agreements.ask_agreement(reference, request.user):
            messages.info(request, "A worker was already asked.")
    except InputError as error:
        messages.error(request, str(error))
    return redirect(reverse("method_agreement", query={"reference": reference}))


def _reference(reference: str) -> str:
    """Return the reference. Raises Http404 for a model that is unknown and was never audited."""
    known = ModelUnderAudit.objects.filter(reference=reference).exists()
    if not known and not Run.objects.top_level().filter(model=reference).exists():
        raise Http404("No model of this reference was ever audited.")
    return reference
