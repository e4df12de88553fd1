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
from plumbline.spec.errors import InputError
from plumbline.spec.registry import PROBES
from workers.management import inline, reports
from workers.management.console import Console

SPEC = Path(plumbline.audits.__file__).parent / "starter" / "gender.yaml"
MOST_LISTED = 8


class Command(BaseCommand):
    help = "Audit the bundled model for gender stereotypes over occupations and the ABC adjectives."

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit status as of `audit run`."""
        try:
            run = inline.run_inline(parse(read_yaml(SPEC)), Console())
        except InputError as error:
            self.stderr.write(f"error: {error}")
            sys.exit(2)
        except KeyboardInterrupt:
            self.stderr.write("interrupted")
            sys.exit(inline.INTERRUPTED)
        if run.state == RunState.DONE:
            self._answer(run)
        sys.exit(inline.exit_status(run))

    def _answer(self, run: Run) -> None:
        difference = PROBES[run.probe].card.difference
        for contrast in contrasts(reports.measures_of(run), difference):
            self.stdout.write("\n".join(["", *reports.finding(run, contrast, MOST_LISTED)]))
        self.stdout.write(f"\nMore: .venv/bin/python manage.py audit show {run.pk}")
