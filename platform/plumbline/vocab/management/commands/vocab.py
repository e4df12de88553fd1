"""manage.py vocab: starter data, import, export and a list of what there is."""

from collections import Counter
from pathlib import Path
from typing import Any

import pghistory
from django.core.management.base import BaseCommand, CommandError, CommandParser

from plumbline.spec.errors import InputError
from plumbline.vocab import seeding
from plumbline.vocab.content import version
from plumbline.vocab.exporting import export_text
from plumbline.vocab.faults import FaultyFileError
from plumbline.vocab.history import os_user
from plumbline.vocab.importing import import_file
from plumbline.vocab.kinds import KINDS, kind_named

METADATA_OPTIONS = ("title", "source", "licence", "origin", "description")

# A spec names trait lists as attributes.
CONTENT_KIND = {"traits": "attributes"}


class Command(BaseCommand):
    help = "Curated word lists: starter data, import, export, list."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="starter|import|export|list")
        actions.add_parser("starter", help="load the lists that come with Plumbline; edited ones are left alone")
        importer = actions.add_parser("import", help="bring a CSV, XLSX or JSON file into lists; all or nothing")
        importer.add_argument("kind", metavar="KIND", help=", ".join(KINDS))
        importer.add_argument("file", metavar="FILE", type=Path)
        importer.add_argument("--list", dest="slug", default="", help="the slug, if no column names it")
        importer.add_argument("--update", action="store_true", help="add and update; what the file lacks stays")
        for option in METADATA_OPTIONS:
            importer.add_argument(f"--{option}", help=f"the list's {option}")
        exporter = actions.add_parser("export", help="write lists as a CSV file that can be imported again")
        exporter.add_argument("kind", metavar="KIND", help=", ".join(KINDS))
        exporter.add_argument("--list", dest="slug", default="", help="only the list of this slug")
        exporter.add_argument("--out", type=Path, help="a file; otherwise the standard output")
        actions.add_parser("list", help="all lists with their size and version")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            match options["action"]:
                case "starter":
                    with pghistory.context(command="vocab starter", os_user=os_user()):
                        self.starter()
                case "import":
                    with pghistory.context(command="vocab import", os_user=os_user()):
                        self.import_(**options)
                case "export":
                    self.export(**options)
                case _:
                    self.overview()
        except InputError as error:
            raise CommandError(str(error), returncode=2) from None

    def starter(self) -> None:
        lists = seeding.load()
        for seeded in lists:
            if seeded.outcome == "kept":
                self.stdout.write(f"kept as edited: {seeded.kind} {seeded.slug}")
        counts = Counter(seeded.outcome for seeded in lists)
        self.stdout.write(f"starter data: {', '.join(f'{count} {outcome}' for outcome, count in counts.items())}")

    def import_(self, kind: str, file: Path, slug: str, update: bool, **options: Any) -> None:
        metadata = {option: options[option] for option in METADATA_OPTIONS if options.get(option) is not None}
        try:
            imported = import_file(kind_named(kind), file, slug, metadata, update)
        except FaultyFileError as error:
            if len(error.faults) == 1:
                raise
            self.stderr.write("\n".join(error.lines()))
            raise InputError(f"{file.name}: {len(error.faults):,} faulty lines; nothing was changed.") from None
        for notice in imported.notices:
            self.stderr.write(notice)
        for change in imported.changes:
            self.stdout.write(f"{kind} {change}")

    def export(self, kind: str, slug: str, out: Path | None, **options: Any) -> None:
        text = export_text(kind_named(kind), slug)
        if out is None:
            self.stdout.write(text, ending="")
            return
        try:
            # With a BOM, without which Excel takes UTF-8 for cp1252; no translation of line ends.
            out.write_bytes(text.encode("utf-8-sig"))
        except OSError as error:
            raise InputError(f"cannot write {out}: {error.strerror}.") from None

    def overview(self) -> None:
        for kind in KINDS.values():
            for word_list in kind.list_model.objects.all():
                count = word_list.entries.count()
                name = version(CONTENT_KIND.get(kind.name, kind.name), word_list.slug)[:12] if count else "-"
                self.stdout.write(f"{kind.name:10} {word_list.slug:36} {count:5} {name:12}  {word_list.title}")
