"""manage.py vocab: starter data, import, export and a list of what there is."""

from collections import Counter
from pathlib import Path
from typing import Any

import pghistory
from django.core.management.base import BaseCommand, CommandError, CommandParser

from plumbline.spec.errors import InputError
from plumbline.vocab import intersections, seeding
from plumbline.vocab.authors import os_user
from plumbline.vocab.banks import starter_banks
from plumbline.vocab.content import version
from plumbline.vocab.croissant import croissant_archive
from plumbline.vocab.duplicates import count_of
from plumbline.vocab.exporting import export_text
from plumbline.vocab.faults import FaultyFileError
from plumbline.vocab.importing import import_file
from plumbline.vocab.kinds import KINDS, kind_named
from plumbline.vocab.management.output import write_archive, write_export

METADATA_OPTIONS = ("title", "source", "licence", "origin", "description")

OF_RATINGS = ("group_list", "trait_list")

# A spec names trait lists as attributes.
CONTENT_KIND = {"traits": "attributes"}


class Command(BaseCommand):
    help = "Curated word lists: starter data, import, export, list."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="starter|import|export|pair|list")
        actions.add_parser(
            "starter", help="load the lists and banks that come with Plumbline; edited ones are left alone"
        )
        importer = actions.add_parser("import", help="bring a CSV, XLSX or JSON file into lists; all or nothing")
        importer.add_argument("kind", metavar="KIND", help=", ".join(KINDS))
        importer.add_argument("file", metavar="FILE", type=Path)
        importer.add_argument("--list", dest="slug", default="", help="the slug, if no column names it")
        importer.add_argument("--update", action="store_true", help="add and update; what the file lacks stays")
        importer.add_argument(
            "--skip-duplicates",
            action="store_true",
            help="leave out rows whose word is in an earlier row, or, with --update, in the list already",
        )
        importer.add_argument(
            "--demographics", type=Path, help="demographics of the annotators as JSON, for ratings in nested JSON"
        )
        importer.add_argument("--means", type=Path, help="ratings: published means, JSON, compared with the raters")
        importer.add_argument("--group-list", help="ratings: the slug of the group list to hold the groups against")
        importer.add_argument("--trait-list", help="ratings: the slug of the trait list to hold the pairs against")
        for option in METADATA_OPTIONS:
            importer.add_argument(f"--{option}", help=f"the list's {option}")
        exporter = actions.add_parser("export", help="write lists as a CSV file that can be imported again")
        exporter.add_argument("kind", metavar="KIND", help=", ".join(KINDS))
        exporter.add_argument("--list", dest="slug", default="", help="only the list of this slug")
        exporter.add_argument("--out", type=Path, help="a file; otherwise the standard output")
        exporter.add_argument(
            "--format",
            choices=("csv", "croissant"),
            default="csv",
            help="croissant: one list as a ZIP file",
        )
        pairer = actions.add_parser("pair", help="make a new list of the pairs of one group list, or of two")
        pairer.add_argument("slugs", metavar="SLUG", nargs="+", help="one list of groups, or two")
        pairer.add_argument("--into", metavar="SLUG", required=True, help="the new list")
        pairer.add_argument("--title", default="", help="the new list's title")
        pairer.add_argument(
            "--rules", metavar="SLUG", default=intersections.RULES, help="pairings list; '' for no rules"
        )
        pairer.add_argument(
            "--preview", action="store_true", help="write the pairs to the standard output, make nothing"
        )
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
                case "pair":
                    with pghistory.context(command="vocab pair", os_user=os_user()):
                        self.pair(**options)
                case _:
                    self.overview()
        except InputError as error:
            raise CommandError(str(error), returncode=2) from None

    def starter(self) -> None:
        lists = [*seeding.load(), *starter_banks.load()]
        for seeded in lists:
            if seeded.outcome == "kept":
                self.stdout.write(f"kept as edited: {seeded.kind} {seeded.slug}")
        counts = Counter(seeded.outcome for seeded in lists)
        self.stdout.write(f"starter data: {', '.join(f'{count} {outcome}' for outcome, count in counts.items())}")

    def import_(self, kind: str, file: Path, slug: str, update: bool, **options: Any) -> None:
        given = [option for option in (*METADATA_OPTIONS, *OF_RATINGS) if options.get(option) is not None]
        if kind != "ratings" and any(options.get(option) for option in (*OF_RATINGS, "demographics", "means")):
            raise InputError(
                "--demographics, --means, --group-list and --trait-list go with ratings only; leave them out."
            )
        metadata = {option: options[option] for option in given}
        try:
            beside = {name: options.get(name) for name in ("demographics", "means")}
            skip = options.get("skip_duplicates", False)
            imported = import_file(kind_named(kind), file, slug, metadata, update, skip_duplicates=skip, **beside)
        except FaultyFileError as error:
            if len(error.faults) == 1:
                raise
            self.stderr.write("\n".join(error.lines()))
            raise InputError(f"{file.name}: {len(error.faults):,} faulty lines; nothing was changed.") from None
        for notice in imported.notices:
            self.stderr.write(notice)
        if imported.skipped:
            self.stderr.write("\n".join([f"{count_of(imported.skipped)}:", *map(str, imported.skipped)]))
        for change in imported.changes:
            self.stdout.write(f"{kind} {change}")

    def export(self, kind: str, slug: str, out: Path | None, format: str = "csv", **options: Any) -> None:  # noqa: A002
        if format == "croissant":
            write_archive(croissant_archive(kind_named(kind), slug), out, f"vocab export {kind} {slug} croissant")
            return
        write_export(export_text(kind_named(kind), slug), out, self.stdout, f"vocab export {kind} {slug}".strip())

    def pair(self, slugs: list[str], into: str, title: str, rules: str, preview: bool, **options: Any) -> None:
        if len(slugs) > 2:
            raise InputError(f"{len(slugs)} lists are named; pair one list with itself, or two with each other.")
        pairs = intersections.propose(slugs, rules)
        if preview:
            for made in pairs.made:
                self.stdout.write(f"{made.label}: {' + '.join(made.components)}")
        else:
            self.stdout.write(f"groups {intersections.create(pairs, slugs, into, title)}")
        self.stderr.write(str(pairs))

    def overview(self) -> None:
        for kind in KINDS.values():
            for word_list in kind.list_model.objects.all():
                count = word_list.entries.count()
                name = version(CONTENT_KIND.get(kind.name, kind.name), word_list.slug)[:12] if count else "-"
                self.stdout.write(f"{kind.name:10} {word_list.slug:36} {count:5} {name:12}  {word_list.title}")
