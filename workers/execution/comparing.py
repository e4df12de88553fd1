"""The phase after the summary: comparison of a run of a plan with the plan's previous finished run."""

import time
from collections.abc import Sequence
from dataclasses import asdict, replace

import structlog
from django.db import transaction

from plumbline.audits import leases, life, models
from plumbline.audits.mail import notices
from plumbline.audits.models import Run
from plumbline.audits.previous_run import latest_before
from plumbline.findings.contrasts import alpha_of
from plumbline.results import measure_writing
from plumbline.spec.card import PAIRED_DIFFERENCE
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import with_uncertainty
from plumbline.spec.registry import PROBES
from workers.comparison import Comparison, compare_runs, differing
from workers.execution.worker import Work

MOST_TOLD = 20

log = structlog.get_logger(__name__)


def compare_with_previous(work: Work, lease: leases.Lease) -> None:
    """Compare with the previous run outside of any transaction, then write cells, row and notice in a short one.

    The first run of a plan has no comparison.
    """
    began = time.monotonic()
    work.worker.report.stage("comparison", 1, lambda: 0)
    previous = latest_before(work.run)
    found = _compared(previous, work.run) if previous else None
    with transaction.atomic():
        if leases.finish(lease, time.monotonic() - began) and previous and found and life.lock(previous.pk):
            _write(work.run, previous, found)
    work.worker.report.advance(1)


def _compared(previous: Run, run: Run) -> Comparison | None:
    """Return the comparison, or None for runs that cannot be compared, which is not this run's fault."""
    for contrasts in (True, False):
        try:
            return compare_runs(previous, run, contrasts=contrasts)
        except InputError as error:
            log.info("a run cannot be compared with the one before it", run=run.pk, contrasts=contrasts, why=str(error))
    return None


def _write(run: Run, previous: Run, found: Comparison) -> None:
    # The contrasts are the tests by which findings are stronger, weaker or gone.
    cells = [replace(change, variant=f"run:{previous.pk}") for change in (*found.changes, *found.contrasts)]
    measure_writing.replace_measures(run.pk, map(asdict, cells), compared=True)
    models.Comparison.objects.filter(run=run).delete()
    row = models.Comparison.objects.create(
        run=run,
        previous=previous,
        paired=found.paired,
        only_previous=found.only_first,
        only_new=found.only_second,
        not_scorable=found.not_scorable,
        cells=len(found.changes),
        moved=len(found.moved),
        also_differs=differing(previous, run),
    )
    notices.write_moved_notice(row, notice_lines(run, row, found.moved))


def notice_lines(run: Run, row: models.Comparison, moved: Sequence[Measure]) -> list[str]:
    """Return the lines of a notice: the largest changes, the number of items behind them, and the limits."""
    card = PROBES[run.probe].card
    change, caveat = card.own(PAIRED_DIFFERENCE), next(one.caveat for one in card.statistics if one.name == card.score)
    more = [f"and {len(moved) - MOST_TOLD} more"] if len(moved) > MOST_TOLD else []
    also = [f"They also differ in: {notices.one_line(', '.join(row.also_differs))}."] if row.also_differs else []
    return [
        f"What moved, new minus previous, largest first ({card.score}, {change.unit}, q < {alpha_of(run.spec):g}):",
        "",
        *(f"  {_cell(change)}" for change in moved[:MOST_TOLD]),
        *more,
        "",
        f"{row.paired} items paired, {row.not_scorable} not scorable in one of the runs,"
        f" {row.only_previous} only in the previous run, {row.only_new} only in the new one.",
        *also,
        f"{change.caveat} {caveat}",
    ]


def _cell(change: Measure) -> str:
    group, attribute = notices.one_line(change.group_a, 60), notices.one_line(change.attribute, 60)
    return f"{group}, {attribute}: {with_uncertainty(change)}"
