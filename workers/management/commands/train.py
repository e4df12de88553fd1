"""manage.py train: fine-tune a model on multiple-choice questions or labelled texts in files of the user's."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from plumbline.spec.errors import InputError
from workers.management.ending import INTERRUPTED, WRONG_INPUT
from workers.training.mcq_options import LABELS, RECIPES, add_options, out_of


class Command(BaseCommand):
    help = (
        "Fine-tune a masked model or an encoder on questions or labelled texts; --resume continues a stopped training."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("format", choices=list(RECIPES), help="of the file; each has its own recipe")
        add_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        # Imported here, because torch takes seconds to load, which the help must not.
        from workers.training import mcq, text_classifier

        options["out"] = out_of(options["format"], options["out"])
        run = text_classifier.run if options["format"] == LABELS else mcq.run
        try:
            run(mcq.Options(**options))
        except InputError as error:
            self.stderr.write(f"error: {error}")
            sys.exit(WRONG_INPUT)
        except KeyboardInterrupt as stopped:
            self.stderr.write(mcq.interruption(stopped, options["out"]))
            sys.exit(INTERRUPTED)
