"""manage.py report: a report on a run, a model over time or two runs, as a file. `audit report` calls it."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from plumbline.audits.life import find
from plumbline.reports.documents import Document, on_model, on_run, on_two_runs
from plumbline.reports.rendering import CONTENT_TYPES, rendered
from plumbline.spec.errors import InputError
from plumbline.vocab.authors import os_user
from plumbline.vocab.management.output import record_export

WRONG_INPUT = 2


class Command(BaseCommand):
    help = "Write a report as one HTML file or as a PDF."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(written(options))
        except InputError as error:
            self.stderr.write(f"error: {error}")
            sys.exit(WRONG_INPUT)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("run", type=int, nargs="?", help="the run; with --against the later one")
    parser.add_argument("--model", metavar="REF", help="all finished audits of this model instead of one run")
    parser.add_argument("--against", type=int, metavar="RUN", help="compare with this earlier run")
    parser.add_argument("--out", type=Path, required=True, help="a file that ends in .html or .pdf")
    parser.add_argument("--law", default="", metavar="VERSION", help="an earlier version of the laws and standards")


def written(options: dict[str, Any]) -> str:
    """Write the report and return a sentence about it. Raises InputError."""
    out: Path = options["out"]
    kind = out.suffix.lower().removeprefix(".")
    if kind not in CONTENT_TYPES:
        raise InputError(f"{out} names neither HTML nor PDF: let the file end in .html or .pdf.")
    content = rendered(_document(options), kind)
    try:
        out.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror}.") from None
    record_export("audit report", out)
    return f"report written to {out} ({len(content) / 1024:,.0f} kB)"


def _document(options: dict[str, Any]) -> Document:
    number, model, against = options["run"], options["model"], options["against"]
    by, law = f"the account {os_user()} of the machine", options["law"]
    if model is not None:
        if number is not None or against is not None:
            raise InputError("give either a run, or --model REF for all audits of a model.")
        return on_model(model, by, law)
    if number is None:
        raise InputError("name a run ('audit report 12 --out report.html'), or a model with --model REF.")
    return on_run(find(number), by, law) if against is None else on_two_runs(find(against), find(number), by, law)
