"""Our figures for the comparison with the paper: this run's, and those of other runs by model and measure."""

from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.analyses.alignment.replication.printed import MEASURES, PRECISION, TAU
from plumbline.analyses.alignment.tables import Alignment
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.results import models, summary
from plumbline.spec.measure import Measure

MOST_RUNS = 200


@dataclass(frozen=True, slots=True)
class OfRun:
    """The overall agreement of one run: tau, precision at 3, and tau without the groups of the pilot."""

    run: Run
    tau: Measure | None
    precision: Measure | None
    test_tau: Measure | None


def of_run(run: Run, found: Alignment) -> OfRun:
    figures = (
        found.overall(TAU, "model"),
        found.overall(PRECISION, "model"),
        found.overall(TAU, "model", "test_groups"),
    )
    return OfRun(run, *figures)


def by_model_and_measure() -> dict[str, dict[str, OfRun]]:
    """Return by model and measure the latest finished run that was compared with people."""
    found: dict[str, dict[str, OfRun]] = {}
    for run, own in _compared():
        found.setdefault(run.subject, {}).setdefault(run.probe, of_run(run, own))
    return found


def _compared() -> Iterator[tuple[Run, Alignment]]:
    """Yield finished runs of the paper's measures with their overall agreement, the latest first."""
    done = Run.objects.filter(probe__in=MEASURES, state=RunState.DONE, spec__has_key="human")
    runs = list(done.defer("traceback", "provenance").order_by("-pk")[:MOST_RUNS])
    own: dict[int, list[Measure]] = {}
    asked = models.Measure.objects.filter(
        run__in=[run.pk for run in runs],
        statistic__in=(TAU, PRECISION),
        condition="model",
        group_a="",
        category="",
        template="",
        attribute="",
    )
    for row in asked.order_by("pk").values("run", *summary.FIELDS):
        own.setdefault(row.pop("run"), []).append(Measure(**row))
    yield from ((run, Alignment(own[run.pk])) for run in runs if run.pk in own)
