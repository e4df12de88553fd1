"""manage.py demo: audit the bundled models for gender stereotypes, and print a short answer of each."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from plumbline.audits.models import Plan, Run
from plumbline.audits.sentence_words import sentence_words
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
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        sys.exit(status_of(self._demonstrate, self.stderr))

    def _demonstrate(self) -> int:
        for path in SPECS:
            data = read_yaml(path)
            run = inline.run_inline(parse(data), Console(), plan=_plan_of(data), by=launcher(None))
            if run.state != RunState.DONE:
                return exit_status(run)
            self._answer(run)
        self.stdout.write("\nOpen the desk on these findings: make up")
        return 0

    def _answer(self, run: Run) -> None:
        difference, words = PROBES[run.probe].card.difference, sentence_words(run)
        for contrast in summary.counted(run.pk, difference):
            self.stdout.write("\n".join(["", *reports.finding(run, contrast, words, MOST_LISTED)]))
        self.stdout.write("\n".join(["", *reports.notes(run)]))
        self.stdout.write(f"\nMore: .venv/bin/python manage.py audit show {run.pk}")


def _plan_of(spec: dict[str, Any]) -> Plan | None:
    """Return the starter plan of the spec, so that the desk shows its runs. None if people removed or changed it."""
    return Plan.objects.filter(name=spec["name"], spec=spec).first()
