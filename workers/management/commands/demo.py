"""manage.py demo: audit the bundled model for gender stereotypes, and print a short answer."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

import plumbline.audits
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.results.findings import contrasts
from plumbline.spec.audit import parse, read_yaml
from plumbline.spec.registry import PROBES
from workers.management import inline, reports
from workers.management.console import Console
from workers.management.ending import exit_status
from workers.management.faults import status_of

SPEC = Path(plumbline.audits.__file__).parent / "starter" / "gender.yaml"
MOST_LISTED = 8


class Command(BaseCommand):
    help = "Audit the bundled model for gender stereotypes over occupations and the ABC adjectives."

    def handle(self, *args: Any, **options: Any) -> None:
        sys.exit(status_of(self._demonstrate, self.stderr))

    def _demonstrate(self) -> int:
        run = inline.run_inline(parse(read_yaml(SPEC)), Console())
        if run.state == RunState.DONE:
            self._answer(run)
        return exit_status(run)

    def _answer(self, run: Run) -> None:
        difference = PROBES[run.probe].card.difference
        for contrast in contrasts(reports.measures_of(run), difference):
            self.stdout.write("\n".join(["", *reports.finding(run, contrast, MOST_LISTED)]))
        self.stdout.write(f"\nMore: .venv/bin/python manage.py audit show {run.pk}")
