"""Login roles for analysts: `manage.py reader create [--name NAME]`.

`reader statements` prints what an administrator must run where our own login may not close a right of PUBLIC.
"""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection

from plumbline.results import fence
from plumbline.results.reader_role import create_reader
from plumbline.spec.errors import InputError


class Command(BaseCommand):
    help = (
        "create: make a database role that may only read the views of the results, and print its address once."
        " statements: print the SQL that an administrator must run to close what PUBLIC may do."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["create", "statements"])
        parser.add_argument("--name", default="", help="the role's name (default: DATABASE_analyst)")

    def handle(self, *args: Any, action: str, name: str, **options: Any) -> None:
        try:
            {"create": self._create, "statements": self._print_statements}[action](name)
        except InputError as error:
            self.stderr.write(str(error))
            sys.exit(2)

    def _create(self, name: str) -> None:
        self.stdout.write(f"READER_DATABASE_URL={create_reader(connection, name)}")
        fence.close_databases(connection)
        if left := fence.statements_left(connection):
            self.stderr.write(
                f"An administrator must run {len(left)} more statements, since PUBLIC has rights that this login may"
                " not revoke: python manage.py reader statements | psql, in this database."
            )

    def _print_statements(self, _name: str) -> None:
        for statement in fence.statements_left(connection):
            self.stdout.write(f"{statement};")
