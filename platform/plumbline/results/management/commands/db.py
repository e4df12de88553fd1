"""Control of the embedded PostgreSQL server: `manage.py db start|stop|status`."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from plumbline import embedded
from plumbline.spec.errors import InputError


class Command(BaseCommand):
    help = "Starts, stops or shows the embedded PostgreSQL server, which runs when DATABASE_URL is unset."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["start", "stop", "status"])

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        try:
            self.stdout.write(_answer(action))
        except InputError as error:
            self.stderr.write(str(error))
            sys.exit(2)


def _answer(action: str) -> str:
    var_dir = embedded.used_var_dir()
    if action == "stop":
        return "stopped" if embedded.stop(var_dir) else "was not running"
    if action == "start":
        if os.environ.get("DATABASE_URL"):
            raise InputError("DATABASE_URL names another server; unset it to use the embedded one.")
        embedded.start(var_dir)
    found = embedded.status(var_dir)
    return f"running, process {found.pid}, {found.url}" if found.running else f"not running, data in {found.data_dir}"
