"""manage.py demo: audit the bundled models for gender stereotypes, and print a short answer of each."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from plumbline.audits.models import Run
from plumbline.audits.starter_plans import STARTER
from plumbline.audits.states import RunState
from plumbline.results import summary
from plumbline.spec.audit import parse
from plumbline.spec.registry import PROBES
from plumbline.spec.yaml_file import read_yaml
from workers.management import inline, reports
from workers.management.console import Console
from workers.management.ending import exit_status
from workers.management.faults import status_of
from workers.management.launcher import launcher

SPECS = (STARTER / "gender.yaml", STARTER / "gender-masked.yaml")
MOST_LISTED = 8


class Command(BaseCommand):
    help = "Audit the bundled models for gender stereotypes over occupations and the ABC adjectives."

    def handle(self, *args: Any, **options: Any) -> None:
        sys.exit(status_of(self._demonstrate, self.stderr))

    def _demonstrate(self) -> int:
        for path in SPECS:
            run = inline.run_inline(parse(read_yaml(path)), Console(), by=launcher(None))
            if run.state != RunState.DONE:
                return exit_status(run)
            self._answer(run)
        return 0

    def _answer(self, run: Run) -> None:
        difference = PROBES[run.probe].card.difference
        for contrast in summary.counted(run.pk, difference):
            self.stdout.write("\n".join(["", *reports.finding(run, contrast, MOST_LISTED)]))
        self.stdout.write("\n".join(["", *reports.notes(run)]))
        self.stdout.write(f"\nMore: .venv/bin/python manage.py audit show {run.pk}")
