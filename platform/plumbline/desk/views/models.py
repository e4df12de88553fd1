"""Pages of models: the list with last audits, and one model over time."""

from django.core.paginator import Paginator
from django.db.models import Count, Max, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.audits.models import ModelUnderAudit, Run
from plumbline.audits.reuse import copied_shares
from plumbline.audits.states import RunState
from plumbline.desk import history
from plumbline.desk.error_rates import error_rates_of
from plumbline.desk.findings.release_rows import release_rows
from plumbline.desk.model_facts import model_facts, same_weights
from plumbline.findings.error_rates import CHANGE_HEADS, RATE_HEADS
from plumbline.findings.models import Decision
from plumbline.pages.roles import viewers_only

MODELS_PER_PAGE, RUNS_DRAWN, LINES_SHOWN = 50, 40, 30


@require_safe
@viewers_only
def model_list(request: HttpRequest) -> HttpResponse:
    text = request.GET.get("text", "").strip()
    archived = request.GET.get("archived") == "1"
    known = ModelUnderAudit.objects.filter(
        Q(reference__icontains=text) | Q(title__icontains=text) | Q(tags__icontains=text) | Q(owner__username=text),
        archived_at__isnull=not archived,
    ).select_related("owner")
    page = Paginator(known.order_by("reference"), MODELS_PER_PAGE).get_page(request.GET.get("page"))
    runs = Run.objects.top_level().filter(model__in=[one.reference for one in page]).values("model").order_by("model")
    audited = {row["model"]: row for row in runs.annotate(runs=Count("pk"), latest=Max("pk"), last=Max("created_at"))}
    return render(request, "desk/models.html", {"page": page, "audited": audited, "text": text, "archived": archived})


@require_safe
@viewers_only
def model_page(request: HttpRequest) -> HttpResponse:
    """Show one model. The query names it, since a reference may hold texts that a path cannot, such as `../`."""
    reference = request.GET.get("reference", "")
    known = ModelUnderAudit.objects.filter(reference=reference).select_related("owner").first()
    runs = Run.objects.top_level().filter(model=reference).order_by("-pk").defer("spec", "traceback", "provenance")
    error_rates = error_rates_of(reference)
    if known is None and not error_rates and not runs.exists():
        raise Http404("No model of this reference was ever audited.")
    done = list(runs.filter(state=RunState.DONE).select_related("findings_update")[:RUNS_DRAWN])
    drawn = history.since_baseline(done)
    context = {
        "reference": reference,
        "known": known,
        "facts": model_facts(reference, known),
        "same_weights": same_weights(reference),
        "page": Paginator(runs.select_related("plan", "comparison"), 25).get_page(request.GET.get("page")),
        "lines": drawn[:LINES_SHOWN],
        "copied": copied_shares(done),
        "not_drawn": history.concerns_of(done),
        "trend": history.chosen(drawn, request.GET.get("line")),
        "runs_drawn": len(done),
        "releases": release_rows(reference, request.user),
        "decisions": Decision.choices,
        "error_rates": error_rates,
        "rate_heads": RATE_HEADS,
        "change_heads": CHANGE_HEADS,
    }
    return render(request, "desk/model.html", context)
