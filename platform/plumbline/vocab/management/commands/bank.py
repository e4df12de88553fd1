"""manage.py bank: import, generation, export and a list of question banks."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Count

from plumbline.spec.errors import InputError
from plumbline.spec.numbers import counted
from plumbline.vocab.banks.contexts_file import exported
from plumbline.vocab.banks.importing import generate_bank, import_bank, read_questions
from plumbline.vocab.banks.kinds import bank_kinds
from plumbline.vocab.banks.reading import Questions
from plumbline.vocab.faults import FaultyFileError
from plumbline.vocab.management.output import write_export
from plumbline.vocab.models import Bank


class Command(BaseCommand):
    help = "Question banks: import, generate, export, list."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_actions(parser.add_subparsers(dest="action", required=True))

    def add_actions(self, actions: Any) -> None:
        """Add the actions of this floor. The command of a higher floor adds its own."""
        importer = actions.add_parser("import", help="make a bank of files of questions; all or nothing")
        kinds = bank_kinds()
        importer.add_argument("kind", metavar="KIND", help=", ".join(kinds))
        importer.add_argument("path", metavar="FILE_OR_DIR", type=Path)
        _add_target(importer)
        named = [f"of {kind} {', '.join(kinds[kind].formats)}" for kind in kinds if kinds[kind].formats]
        importer.add_argument("--format", default="", help=f"of the file: {'; '.join(named)}")
        importer.add_argument("--preview", action="store_true", help="say what would be imported, and import nothing")
        maker = actions.add_parser("generate", help="make a bank from templates, published or your own")
        maker.add_argument("kind", metavar="KIND", help=", ".join(name for name in kinds if kinds[name].generate))
        maker.add_argument("path", metavar="DIR", type=Path, help="with templates and vocabulary as CSV")
        _add_target(maker)
        maker.add_argument("--seed", type=int, default=0, help="of what is drawn; the same seed gives the same bank")
        maker.add_argument(
            "--original-counts", action="store_true", help="read lists as the authors' parser did, to get their counts"
        )
        exporter = actions.add_parser(
            "export", help="write a bank's contexts as CSV, to edit them and import them again"
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
            slug, categories = options["into"] or kind, words_of(options["categories"])
            if options["preview"]:
                self.preview(read_questions(kind, path, categories, options["format"]))
                return
            bank, notices = import_bank(kind, path, slug, options["title"], categories, options["format"])
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

    def preview(self, found: Questions) -> None:
        for notice in found.notices:
            self.stderr.write(notice)
        self.stdout.write(f"{counted(len(found.items), 'item')} would be imported")

    def tell(self, bank: Bank, notices: list[str]) -> None:
        for notice in notices:
            self.stderr.write(notice)
        self.stdout.write(f"bank {bank.slug}: {bank.entries.count()} items, {bank.digest[:12]}")

    def export(self, slug: str, out: Path | None) -> None:
        write_export(exported(slug), out, self.stdout, f"bank export {slug}")

    def overview(self) -> None:
        for bank in Bank.objects.annotate(items=Count("entries")):
            self.stdout.write(f"{bank.kind:10} {bank.slug:36} {bank.items:6} {bank.digest[:12]:12}  {bank.title}")


def _add_target(parser: CommandParser) -> None:
    """Add the options that both import and generation need."""
    into = "the new bank; otherwise it is named for its kind"
    parser.add_argument("--into", "--name", metavar="SLUG", default="", help=into)
    parser.add_argument("--title", default="", help="the bank's title")
    parser.add_argument("--categories", default="", metavar="A,B", help="only these, such as Age,Religion of BBQ")


def words_of(text: str) -> list[str]:
    """Return the words between commas."""
    return [word.strip() for word in text.split(",") if word.strip()]
