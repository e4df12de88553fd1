"""manage.py names: propose names for groups from a table of births."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from plumbline.spec.errors import InputError
from plumbline.vocab import csv_file
from plumbline.vocab.content import find
from plumbline.vocab.faults import FaultyFileError
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.management.output import write_export
from plumbline.vocab.proposals.accepting import cells_of
from plumbline.vocab.proposals.comparison import Comparison
from plumbline.vocab.proposals.distribution import names_of_race
from plumbline.vocab.proposals.proportions import Thresholds
from plumbline.vocab.proposals.proposal import Proposal
from plumbline.vocab.proposals.table import RACES, read_table

PUBLISHED = "sodapop-names"
MOST_SHOWN = 20


class Command(BaseCommand):
    help = "Names: propose some for groups from a table of births; a curator accepts them."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_actions(parser.add_subparsers(dest="action", required=True, metavar="ACTION"))

    def add_actions(self, actions: Any) -> None:
        """Add the actions of this floor. The command of a higher floor adds its own."""
        proposer = actions.add_parser("propose", help="names by Proportion_r and Proportion_g, as CSV for vocab import")
        proposer.add_argument("file", metavar="FILE", type=Path, help="NYC's table of baby names, CSV or CSV.GZ")
        proposer.add_argument("--race-min", type=float, default=1.0, help="least share of one race, 0 to 1")
        proposer.add_argument("--gender-min", type=float, default=1.0, help="least share of one gender, 0 to 1")
        proposer.add_argument("--min-count", type=int, default=1, help="fewest children of that name")
        proposer.add_argument("--races", nargs="+", default=["AS", "HS"], help=", ".join(RACES.values()))
        proposer.add_argument("--compare", metavar="SLUG", default=PUBLISHED, help="a list to hold it against, or ''")
        proposer.add_argument("--out", type=Path, help="a file; otherwise the standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            needed = _thresholds(options)
            self.propose(options["file"], needed, options["compare"], options["out"])
        except FaultyFileError as error:
            self.stderr.write("\n".join(error.lines()))
            raise CommandError(str(error), returncode=2) from None
        except InputError as error:
            raise CommandError(str(error), returncode=2) from None

    def propose(self, file: Path, needed: Thresholds, published: str, out: Path | None) -> None:
        """Write the proposal as CSV to the standard output, and its comparison to stderr."""
        proposal = Proposal(file.name, table := read_table(file), needed)
        first, last = table.years
        self.stderr.write(
            f"{table.rows:,} rows, {table.repeated:,} of them repeated; births of {first} to {last};"
            f" {len(proposal.found):,} names, {len(proposal.chosen):,} of them proposed."
        )
        for one in proposal.groups:
            self.stderr.write(f"{one.group}: {one.names:,} names of {one.children:,} children in the table.")
        for race, whose in {"AS": "Asian", "HS": "Hispanic"}.items():
            self.stderr.write(f"{whose} children: {names_of_race(table, race):,} names of either gender.")
        if published:
            for comparison in proposal.compared_with(find("names", published).rows()):
                self._tell(comparison)
        write_export(
            csv_file.write(KINDS["names"].columns, map(cells_of, proposal.chosen)), out, self.stdout, "names propose"
        )

    def _tell(self, comparison: Comparison) -> None:
        self.stderr.write(f"{comparison}.")
        for missing in comparison.only_published[:MOST_SHOWN]:
            self.stderr.write(f"  not proposed: {missing.name}: {missing.reason}")


def _thresholds(options: dict[str, Any]) -> Thresholds:
    for option in ("race_min", "gender_min"):
        if not 0 <= options[option] <= 1:
            raise InputError(f"--{option.replace('_', '-')} is {options[option]:g}; give a share from 0 to 1.")
    if unknown := [race for race in options["races"] if race not in RACES.values()]:
        raise InputError(f"unknown race {unknown[0]!r}; the codes are {', '.join(RACES.values())}.")
    races = tuple(dict.fromkeys(options["races"]))
    return Thresholds(options["race_min"], options["gender_min"], options["min_count"], races)
