"""The page that puts a run's agreement with people beside the figures of Cao et al. 2022."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.analyses.alignment.replication import beside, printed, reading
from plumbline.analyses.alignment.replication.differences import differences
from plumbline.analyses.alignment.statistics import ALIGNMENT
from plumbline.analyses.alignment.tables import alignment_of
from plumbline.pages.measure_file import measure_file
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context

OVERALL = (("6", printed.TAU, "tau"), ("6", printed.PRECISION, "precision"), ("A19", printed.TAU, "test_tau"))
"""Table, statistic, and our figure."""
TITLES = {
    ("6", printed.TAU): "Kendall's tau (Table 6)",
    ("6", printed.PRECISION): "Precision at 3 (Table 6)",
    ("A19", printed.TAU): "Kendall's tau without the pilot's groups (Table A19)",
}


@require_safe
@viewers_only
def published_agreement(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "published_agreement")
    run = context["run"]
    found = alignment_of(run.pk)
    measure = _measure(request, run.probe)
    rows = beside.rows(found.of_groups("", "group"), measure)
    own = reading.of_run(run, found)
    context |= {
        "found": found,
        "source": printed.SOURCE,
        "measures": printed.MEASURES,
        "measure": measure,
        "same": measure == run.probe,
        "models": printed.MODELS,
        "overall": [
            (TITLES[table, name], getattr(own, field), _printed(table, name, measure)) for table, name, field in OVERALL
        ],
        "rows": [(row, [(table, ours, _named(theirs)) for table, ours, theirs in row.cells]) for row in rows],
        "shared": sum(bool(row.ours) for row in rows),
        "correlations": [(one, printed.MODELS[one.model]) for one in beside.correlations(rows)],
        "differences": differences(run, rows, measure),
        "every": _every(),
    }
    return render(request, "alignment/published.html", context)


def _measure(request: HttpRequest, probe: str) -> str:
    """Return the paper's measure that the address names, or the run's own, or SeT."""
    wanted = request.GET.get("measure", probe)
    return wanted if wanted in printed.MEASURES else "set"


def _printed(table: str, statistic: str, measure: str) -> list[tuple[str, printed.Figure | None]]:
    """Return the figures with their models."""
    figures = printed.overall(table, statistic)
    return [(label, figures.get((measure, model))) for model, label in printed.MODELS.items()]


def _named(values: Sequence[float | None]) -> list[tuple[str, float | None]]:
    return list(zip(printed.MODELS.values(), values, strict=True))


def _every() -> list[tuple[str, list[tuple[str, list[Any]]]]]:
    """Return tau and precision by model and measure: the paper's models first, then ours."""
    tables = []
    ours = reading.by_model_and_measure()
    for name, title, field in (
        (printed.TAU, "Kendall's tau", "tau"),
        (printed.PRECISION, "Precision at 3", "precision"),
    ):
        figures = printed.overall("6", name)
        rows: list[tuple[str, list[Any]]] = [
            (
                f"{label} (printed)",
                [(title, "", figures.get((measure, model))) for measure, title in printed.MEASURES.items()],
            )
            for model, label in printed.MODELS.items()
        ]
        rows += [
            (model, [(title, *_cell(own.get(measure), field)) for measure, title in printed.MEASURES.items()])
            for model, own in ours.items()
        ]
        tables.append((title, rows))
    return tables


def _cell(own: reading.OfRun | None, field: str) -> tuple[Any, Any]:
    """Return the run and its figure; empty if there is none."""
    return (own.run.pk, getattr(own, field)) if own else ("", None)


@require_safe
@viewers_only
def published_agreement_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Return the comparison by group as a file."""
    run = run_context(request, number, "published_agreement")["run"]
    measure = _measure(request, run.probe)
    rows = [
        {"table": f"Table {table}", "statistic": printed.TABLES[table], "group": row.group, "ours": ours}
        | dict(zip(printed.MODELS, theirs, strict=True))
        for row in beside.rows(alignment_of(run.pk).of_groups("", "group"), measure)
        for table, ours, theirs in row.cells
    ]
    if not rows:
        raise Http404("There is no group to compare.")
    return measure_file(run, f"published-{measure}", rows, ALIGNMENT[:1])
