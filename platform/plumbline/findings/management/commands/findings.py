"""manage.py findings update: write the findings of finished runs, as the scheduler does by itself."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from plumbline.audits.life import find
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings import pending
from plumbline.findings.models import Update
from plumbline.findings.present_figures import present_figures
from plumbline.spec.errors import InputError

FAILED, WRONG_INPUT = 1, 2


class Command(BaseCommand):
    help = "Findings of runs."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        update = actions.add_parser("update", help="write the findings of finished runs")
        update.add_argument("runs", type=int, nargs="*", metavar="RUN", help="default: all runs that lack them")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            sys.exit(self._update(options["runs"]))
        except InputError as error:
            self.stderr.write(str(error))
            sys.exit(WRONG_INPUT)

    def _update(self, wanted: list[int]) -> int:
        runs = [_finished(number) for number in wanted] or list(pending.due().order_by("pk"))
        results = [self._write(run) for run in runs]
        self.stdout.write(f"{sum(results)} of {len(runs)} runs written")
        return 0 if all(results) else FAILED

    def _write(self, run: Run) -> bool:
        written = pending.write(run)
        update = Update.objects.get(pk=run.pk)
        self.stdout.write(f"run {run.pk}: {_counted(run, update) if written else update.error}")
        return written


def _counted(run: Run, update: Update) -> str:
    figures = present_figures(run, update)
    present, findings = sum(one.present for one in figures), sum(one.with_finding for one in figures)
    return f"{findings} of {present} present measures are findings"


def _finished(number: int) -> Run:
    run = find(number)
    if run.state != RunState.DONE:
        raise InputError(f"run {number} is {run.state}; only a finished run has findings.")
    return run
