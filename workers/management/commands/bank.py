"""manage.py bank: what the bank of words has, and import-predictions, which makes a run."""

import sys
from pathlib import Path
from typing import Any

from plumbline.vocab.management.commands import bank
from workers.management.console import Console
from workers.management.ending import exit_status
from workers.management.faults import status_of
from workers.management.predictions import Predictions, run_over

PREDICTIONS = "import-predictions"


class Command(bank.Command):
    help = "Question banks: import, export, list; and predictions of others as a run."

    def add_actions(self, actions: Any) -> None:
        super().add_actions(actions)
        importer = actions.add_parser(PREDICTIONS, help="score what a model answered elsewhere, as a run")
        importer.add_argument("kind", metavar="KIND", choices=["bbq"], help="bbq")
        importer.add_argument("path", metavar="FILE_OR_DIR", type=Path, help="JSON lines, also .gz, or CSV")
        importer.add_argument(
            "--answers", metavar="FIELD", default="chosen", help="the field or column that holds them"
        )
        importer.add_argument("--bank", metavar="SLUG", default="bbq", help="the questions that they answer")
        importer.add_argument("--name", default="", help="the model's, as its results name it; otherwise FIELD")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == PREDICTIONS:
            sys.exit(status_of(lambda: self._import(options), self.stderr))
        super().handle(*args, **options)

    def _import(self, options: dict[str, Any]) -> int:
        what = Predictions(options["path"], options["answers"], options["bank"], options["name"])
        return exit_status(run_over(what, Console(), self.stderr.write))
