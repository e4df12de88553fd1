"""How far the methods of a model agree, on request: stored with the runs on which it rests."""

import time
from typing import Any

from django.db import transaction

from plumbline.audits import questions
from plumbline.audits.models import MethodAgreement, Run
from plumbline.results.method_scores import scores_of
from plumbline.spec.errors import InputError
from workers.execution.heartbeat import Hold
from workers.execution.worker import Worker
from workers.measures.method_agreement import method_agreements


def answer_agreement(_worker: Worker, hold: Hold) -> None:
    """Compare the methods outside of any transaction, then store the answer in a short one."""
    began = time.monotonic()
    asked = hold.lease.row
    assert isinstance(asked, MethodAgreement)  # noqa: S101 -- for the type checker
    found = agreements_of(asked)
    hold.check()
    with transaction.atomic():
        questions.answer(hold.lease, time.monotonic() - began, found=found)


def agreements_of(asked: MethodAgreement) -> list[dict[str, Any]]:
    """Return the rows of the request's runs. Raises InputError if one is no longer what it was when somebody asked."""
    known = Run.objects.in_bulk([number for number, _ in asked.runs])
    runs = [known[number] for number, _ in asked.runs if number in known]
    if questions.run_digests(runs) != asked.runs:
        raise InputError("a run was resumed or deleted since somebody asked: ask again")
    return method_agreements([side for run in runs for side in scores_of(run)], MethodAgreement.ALPHA)
