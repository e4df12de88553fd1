"""The page of intersections: what does a pair of groups share with each component, and what is its own?"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.analyses.intersections import tables
from plumbline.analyses.intersections.statistics import STATISTICS
from plumbline.audits.models import Run
from plumbline.pages.measure_file import measure_file, measure_rows
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.results.summary import measures, of_run
from plumbline.spec.card import Statistic

CARDS: dict[str, Statistic] = {one.name: one for one in STATISTICS}
FILES = {
    "identity-order": ("identity_order",),
    "dominance": ("domain_dominance", "domain_agreement", "domains_dominated"),
    "emergent": ("emergent_trait",),
    "curated": ("emergent_precision", "emergent_recall"),
}
INCOMPLETE_SHOWN = 20
MOST_JOINED = 100
ORDER_ROWS = (
    ("Nearer component", "nearer component", "model"),
    ("Chance: the nearer of two groups that are no components", "nearer component", "chance"),
    ("Nearer component minus chance", "nearer component", "model - chance"),
    ("First component", "first component", "model"),
    ("Second component", "second component", "model"),
    ("Second minus first component", "second - first component", "model"),
    ("The same two in the other order", "other order", "model"),
)


@require_safe
@viewers_only
def intersections(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "intersections")
    run: Run = context["run"]
    pairs = tables.pairs_of_run(run)
    order = tables.identity_order(run.pk)
    domains = measures(of_run(run.pk, "domain_dominance", "domains_dominated").order_by("pk"))
    context |= {
        "statistics": CARDS,
        "order_rows": [
            (title, order[key, condition]) for title, key, condition in ORDER_ROWS if (key, condition) in order
        ],
        "order": order,
        "nearer": order.get(("nearer component", "model")),
        "chance": order.get(("nearer component", "chance")),
        "beyond_chance": order.get(("nearer component", "model - chance")),
        "second_first": order.get(("second - first component", "model")),
        "incomplete": tables.incomplete(run.pk, INCOMPLETE_SHOWN),
        "dominance": tables.dominance(domains),
        "curated": measures(of_run(run.pk, "emergent_precision", "emergent_recall").order_by("pk")),
        "domains": sorted({domain for pair in pairs.values() for domain in pair.domains if domain}),
    }
    context |= _emergent(request, run, pairs)
    return render(request, "intersections/page.html", context)


def _emergent(request: HttpRequest, run: Run, pairs: dict[str, tables.Pair]) -> dict[str, Any]:
    chosen = {name: request.GET.get(name, "").strip() for name in ("domain", "with", "trait")}
    order = request.GET.get("order", "value")
    found = tables.emergent(run, pairs)
    return {
        "chosen": chosen,
        "sorted_by": order if order in tables.ORDERS else "value",
        "emergent": [
            (
                title,
                condition,
                tables.chosen(found, condition, chosen["domain"], chosen["trait"], order, chosen["with"]),
            )
            for title, condition in (
                ("Linked more than either component", "above"),
                ("Linked less than either", "below"),
            )
        ],
        "told": len(found),
        **_joined(run, pairs, chosen),
    }


def _joined(run: Run, pairs: dict[str, tables.Pair], chosen: dict[str, str]) -> dict[str, Any]:
    """Return the pairs between two chosen domains."""
    if not (chosen["domain"] and chosen["with"]):
        return {"joined": []}
    found = tables.joined(run.pk, pairs, chosen["domain"], chosen["with"])
    return {"joined": found[:MOST_JOINED], "more_joined": max(0, len(found) - MOST_JOINED)}


@require_safe
@viewers_only
def intersections_csv(request: HttpRequest, number: int, table: str) -> HttpResponse:
    """Return one table of the page as a file with all measures. Raises Http404 for an unknown table."""
    run: Run = run_context(request, number, "intersections")["run"]
    if table not in FILES:
        raise Http404(f"No such table. Choose from {', '.join(FILES)}.")
    statistics = [CARDS[name] for name in FILES[table]]
    if table == "emergent":
        rows = [
            {
                **row,
                "components": " + ".join(one.pair.components),
                "domains": " + ".join(one.pair.domains),
                "nearer_component_score": one.score,
            }
            for one in tables.emergent(run, tables.pairs_of_run(run))
            for row in measure_rows([one.measure])
        ]
    else:
        rows = measure_rows(measures(of_run(run.pk, *FILES[table]).order_by("pk")))
    return measure_file(run, table, rows, statistics)
