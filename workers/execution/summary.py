"""The last phases: measures from a run's records."""

import time
from dataclasses import asdict

from django.db import transaction

from plumbline.audits import leases, life
from plumbline.results import measure_writing, not_scorable
from workers.execution.stages import summariser
from workers.execution.worker import Work


def summarise(work: Work, lease: leases.Lease) -> None:
    """Compute the run's measures outside of any transaction, then write them in a short one."""
    began = time.monotonic()
    work.worker.report.stage("summary", 1, lambda: 0)
    found = [*summariser(work.spec)(work.spec, work.snapshots, work.read), *not_scorable.measured(work.run.pk)]
    with transaction.atomic():
        if leases.finish(lease, time.monotonic() - began):
            measure_writing.replace_measures(work.run.pk, map(asdict, found))
    life.count_items(work.run.pk)
    work.worker.report.advance(1)
