"""Comparison of two finished runs on request, of any plans."""

import time
from dataclasses import asdict, replace

from django.db import transaction

from plumbline.audits import questions
from plumbline.audits.models import ComparisonRequest
from plumbline.results import measure_writing
from workers.comparison import compare_runs, differing
from workers.execution.heartbeat import Hold
from workers.execution.worker import Worker


def compare_any(_worker: Worker, hold: Hold) -> None:
    """Compare the runs outside of any transaction, then write cells and answer in a short one."""
    began = time.monotonic()
    asked = hold.lease.row
    assert isinstance(asked, ComparisonRequest)  # noqa: S101 -- for the type checker
    first, second = asked.first, asked.second
    found = compare_runs(first, second, contrasts=True)
    hold.check()
    variant = f"run:{first.pk}"
    cells = [asdict(replace(change, variant=variant)) for change in (*found.changes, *found.contrasts)]
    with transaction.atomic():
        if questions.answer(
            hold.lease,
            time.monotonic() - began,
            paired=found.paired,
            only_previous=found.only_first,
            only_new=found.only_second,
            not_scorable=found.not_scorable,
            cells=len(found.changes),
            moved=len(found.moved),
            also_differs=differing(first, second),
        ):
            measure_writing.replace_measures(second.pk, cells, compared=True, variant=variant)
