"""The page of pairs: each score by type with its verdict, or GEST's ratios by stereotype and template."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.audits.models import Run
from plumbline.methods.pairs.card import CARD, SHARES
from plumbline.methods.pairs.content import STEREOTYPES, WOMEN
from plumbline.methods.pairs.figures import STATISTICS, agreements, boards, columns, found_in
from plumbline.methods.pairs.findings import of_pairs, share_sentence, without_flagged
from plumbline.pages.measure_file import measure_file, measure_rows
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.results.not_scorable import not_scorable

REASONS = 5


@require_safe
@viewers_only
def run_pairs(request: HttpRequest, number: int) -> HttpResponse:
    """Show the measures of a run of pairs."""
    context = run_context(request, number, "pairs")
    run: Run = context["run"]
    found = found_in(run)
    templates = columns(found)
    shares = [
        (
            board,
            f"{share_sentence(run.subject, board)} {without_flagged(board.overall)}".strip(),
            _statistic(SHARES[board.score]),
        )
        for board in boards(found)
    ]
    context |= {
        "shares": shares,
        "statistics": {one.name: one for one in CARD.statistics},
        "templates": templates,
        "stereotypes": [(str(key), "women" if key in WOMEN else "men", text) for key, text in STEREOTYPES.items()],
        "sentences": of_pairs(run) if templates else [],
        "agreements": agreements(found),
        "lacking": not_scorable(run.pk, REASONS),
        "rates": ("gest_r_f", "gest_r_m", "gest_g_s"),
    }
    return render(request, "pairs/pairs.html", context)


def _statistic(name: str) -> Any:
    return CARD.statistic(name)


@require_safe
@viewers_only
def run_pairs_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Send the page's measures as a file."""
    run: Run = run_context(request, number, "pairs")["run"]
    own = [one for one in CARD.statistics if one.name in STATISTICS]
    return measure_file(run, "pairs", measure_rows(found_in(run)), own)
