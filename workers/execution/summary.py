"""The last phases: measures from a run's records."""

import time
from dataclasses import asdict
from functools import partial

from django.db import transaction

from plumbline.audits import leases
from plumbline.results import measures, reading
from workers.execution.worker import Work


def summarise(work: Work, lease: leases.Lease) -> None:
    """Compute the run's measures outside of any transaction, then write them in a short one."""
    began = time.monotonic()
    work.worker.report.stage("summary", 1, lambda: 0)
    found = work.probe.summarise(work.spec, work.snapshots, partial(reading.read, work.run.pk))
    with transaction.atomic():
        if leases.finish(lease, time.monotonic() - began):
            measures.replace_measures(work.run.pk, map(asdict, found))
    work.worker.report.advance(1)
