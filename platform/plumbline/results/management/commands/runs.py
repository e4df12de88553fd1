"""manage.py runs delete --before DATE: show what would go and what stays; with --yes, delete it."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from plumbline.results import retention
from plumbline.results.retention import Past
from plumbline.results.sizes import Size
from plumbline.spec.errors import InputError

KEPT, WRONG_INPUT = 1, 2


class Command(BaseCommand):
    help = "Runs: delete those before a date, with their records, measures and shards."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="delete")
        delete = actions.add_parser("delete", help="show what would go and what stays; with --yes, delete it")
        delete.add_argument("--before", required=True, metavar="DATE", help="runs that ended before this day (UTC)")
        delete.add_argument("--yes", action="store_true", help="delete")

    def handle(self, *args: Any, before: str, yes: bool, **options: Any) -> None:
        try:
            if not self._delete(list(retention.before(retention.day(before))), yes):
                sys.exit(KEPT)
        except InputError as error:
            self.stderr.write(str(error))
            sys.exit(WRONG_INPUT)

    def _delete(self, past: Sequence[Past], yes: bool) -> bool:
        """Print and perhaps delete. Returns whether all went that was to go."""
        going = [one for one in past if not one.reasons]
        self._print(_line(one) for one in past)
        total = sum((one.size for one in going), Size())
        self.stdout.write(f"{len(going)} of {len(past)} runs {'go' if yes else 'would go'}: {_amount(total)}")
        if not yes:
            self.stdout.write("nothing was deleted; repeat with --yes to delete" if going else "nothing to delete")
            return True
        return self._deleted(going)

    def _deleted(self, going: Sequence[Past]) -> bool:
        stayed = 0
        for number, reasons in retention.delete([one.run for one in going]):
            stayed += bool(reasons)
            self.stdout.write(f"run {number}: {'kept: ' + '; '.join(reasons) if reasons else 'deleted'}")
        self.stdout.write(f"{len(going) - stayed} runs deleted")
        return not stayed

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.stdout.write(line)


def _line(one: Past) -> str:
    what = f"kept: {'; '.join(one.reasons)}" if one.reasons else "goes"
    return f"run {one.run}  {one.run.model}  {one.run.state} {one.ended:%Y-%m-%d}  {_amount(one.size)}  {what}"


def _amount(size: Size) -> str:
    return f"{size.records:,} records, {size.bytes / 1e6:,.1f} MB"
