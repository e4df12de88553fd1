"""Creation of login roles for analysts: `manage.py reader create [--name NAME]`."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection

from plumbline.results.reader import create_reader
from plumbline.spec.errors import InputError


class Command(BaseCommand):
    help = "Create a database role that may only read the views of the results, and print its address once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["create"])
        parser.add_argument("--name", default="", help="the role's name (default: DATABASE_analyst)")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        try:
            self.stdout.write(f"READER_DATABASE_URL={create_reader(connection, name)}")
        except InputError as error:
            self.stderr.write(str(error))
            sys.exit(2)
