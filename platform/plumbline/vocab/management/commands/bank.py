"""manage.py bank: import of question banks, export of contexts, and a list of them."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Count

from plumbline.spec.errors import InputError
from plumbline.vocab.banks.contexts_file import exported
from plumbline.vocab.banks.importing import KINDS, import_bank
from plumbline.vocab.faults import FaultyFileError
from plumbline.vocab.models import Bank


class Command(BaseCommand):
    help = "Question banks: import, export, list."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="import|export|list")
        importer = actions.add_parser("import", help="make a bank of files of questions; all or nothing")
        importer.add_argument("kind", metavar="KIND", help=", ".join(KINDS))
        importer.add_argument("path", metavar="FILE_OR_DIR", type=Path)
        importer.add_argument("--into", metavar="SLUG", required=True, help="the new bank")
        importer.add_argument("--title", default="", help="the bank's title")
        exporter = actions.add_parser(
            "export", help="write a bank's contexts as CSV, to edit them and import them anew"
        )
        exporter.add_argument("slug", metavar="SLUG")
        exporter.add_argument("--out", type=Path, help="a file; otherwise the standard output")
        actions.add_parser("list", help="all banks with their size and digest")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            match options["action"]:
                case "import":
                    self.import_(options["kind"], options["path"], options["into"], options["title"])
                case "export":
                    self.export(options["slug"], options["out"])
                case _:
                    self.overview()
        except InputError as error:
            raise CommandError(str(error), returncode=2) from None

    def import_(self, kind: str, path: Path, into: str, title: str) -> None:
        try:
            bank, notices = import_bank(kind, path, into, title)
        except FaultyFileError as error:
            if len(error.faults) == 1:
                raise
            self.stderr.write("\n".join(error.lines()))
            raise InputError(f"{path.name}: {len(error.faults):,} faulty lines; nothing was imported.") from None
        for notice in notices:
            self.stderr.write(notice)
        self.stdout.write(f"bank {bank.slug}: {bank.entries.count()} items, {bank.digest[:12]}")

    def export(self, slug: str, out: Path | None) -> None:
        text = exported(slug)
        if out is None:
            self.stdout.write(text, ending="")
            return
        try:
            # With a BOM, without which Excel takes UTF-8 for cp1252; no translation of line ends.
            out.write_bytes(text.encode("utf-8-sig"))
        except OSError as error:
            raise InputError(f"cannot write {out}: {error.strerror}.") from None

    def overview(self) -> None:
        for bank in Bank.objects.annotate(items=Count("entries")):
            self.stdout.write(f"{bank.kind:10} {bank.slug:36} {bank.items:6} {bank.digest[:12]:12}  {bank.title}")
