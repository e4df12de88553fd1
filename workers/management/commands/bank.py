"""manage.py bank: the actions of the vocabulary's command, and import-predictions, which creates a run."""

import sys
from pathlib import Path
from typing import Any

from plumbline.vocab.management.commands import bank
from workers.management.console import Console
from workers.management.ending import exit_status
from workers.management.faults import status_of
from workers.management.predictions import Predictions, run_over
from workers.probes.predictions import PredictionImporter, importers

PREDICTIONS = "import-predictions"


class Command(bank.Command):
    """The command on a machine with workers."""

    help = "Question banks: import, export, list; and predictions of others as a run."

    def add_actions(self, actions: Any) -> None:
        """Add import-predictions, with a sub-command for each method that has an importer."""
        super().add_actions(actions)
        action = actions.add_parser(PREDICTIONS, help="score what a model answered elsewhere, as a run")
        kinds = action.add_subparsers(dest="kind", metavar="KIND", required=True)
        for kind, importer in importers().items():
            _add_kind(kinds.add_parser(kind, help=f"answers to the questions of a bank of {kind}"), importer)

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the action; import-predictions ends the process with the exit status of its run."""
        if options["action"] == PREDICTIONS:
            sys.exit(status_of(lambda: self._import(options), self.stderr))
        super().handle(*args, **options)

    def _import(self, options: dict[str, Any]) -> int:
        importer = importers()[options["kind"]]
        what = Predictions(importer, options["path"], options["bank"], options["name"], options)
        return exit_status(run_over(what, Console(), self.stderr.write))


def _add_kind(parser: Any, importer: PredictionImporter) -> None:
    """Add the arguments of all kinds, then those of this one."""
    bank, name = "the bank of questions that they answer", "the model's name in the results"
    parser.add_argument("path", metavar="FILE_OR_DIR", type=Path, help="JSON lines, also .gz, or CSV")
    parser.add_argument("--bank", metavar="SLUG", default=importer.default_bank, help=bank)
    parser.add_argument("--name", default="", help=name)
    importer.add_arguments(parser)
