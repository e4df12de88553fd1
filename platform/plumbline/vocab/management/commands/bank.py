"""manage.py bank: question banks imported or made from templates, export of contexts, and a list of them."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Count

from plumbline.spec.errors import InputError
from plumbline.vocab.banks.contexts_file import exported
from plumbline.vocab.banks.importing import KINDS, generate_bank, import_bank
from plumbline.vocab.faults import FaultyFileError
from plumbline.vocab.models import Bank


class Command(BaseCommand):
    help = "Question banks: import, generate, export, list."

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_actions(parser.add_subparsers(dest="action", required=True))

    def add_actions(self, actions: Any) -> None:
        """Those of this floor; the command of a higher one adds its own."""
        importer = actions.add_parser("import", help="make a bank of files of questions; all or nothing")
        importer.add_argument("kind", metavar="KIND", help=", ".join(KINDS))
        importer.add_argument("path", metavar="FILE_OR_DIR", type=Path)
        _add_target(importer)
        maker = actions.add_parser("generate", help="make a bank of BBQ's templates, or of your own in their format")
        maker.add_argument("kind", metavar="KIND", help="bbq")
        maker.add_argument("path", metavar="DIR", type=Path, help="with templates and vocabulary as CSV")
        _add_target(maker)
        maker.add_argument("--seed", type=int, default=0, help="of what is drawn; the same seed gives the same bank")
        maker.add_argument(
            "--original-counts", action="store_true", help="read lists as the authors' parser did, to get their counts"
        )
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
                    self.import_(options)
                case "generate":
                    self.generate(options)
                case "export":
                    self.export(options["slug"], options["out"])
                case _:
                    self.overview()
        except InputError as error:
            raise CommandError(str(error), returncode=2) from None

    def import_(self, options: dict[str, Any]) -> None:
        kind, path = options["kind"], options["path"]
        try:
            bank, notices = import_bank(
                kind, path, options["into"] or kind, options["title"], words_of(options["categories"])
            )
        except FaultyFileError as error:
            if len(error.faults) == 1:
                raise
            self.stderr.write("\n".join(error.lines()))
            raise InputError(f"{path.name}: {len(error.faults):,} faulty lines; nothing was imported.") from None
        self.tell(bank, notices)

    def generate(self, options: dict[str, Any]) -> None:
        kind, chosen = options["kind"], words_of(options["categories"])
        into, title, seed = options["into"] or f"{kind}-generated", options["title"], options["seed"]
        self.tell(*generate_bank(kind, options["path"], into, title, seed, chosen, options["original_counts"]))

    def tell(self, bank: Bank, notices: list[str]) -> None:
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


def _add_target(parser: CommandParser) -> None:
    """What both making a bank of files and generating one need."""
    parser.add_argument("--into", metavar="SLUG", default="", help="the new bank; otherwise it is named for its kind")
    parser.add_argument("--title", default="", help="the bank's title")
    parser.add_argument("--categories", default="", metavar="A,B", help="of BBQ only these, such as Age,Religion")


def words_of(text: str) -> list[str]:
    """The words between commas."""
    return [word.strip() for word in text.split(",") if word.strip()]
