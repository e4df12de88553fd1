#!/usr/bin/env python
"""Plumbline's command line: starts the embedded database when no DATABASE_URL names another."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "platform"))

# Commands that neither need a database nor may start one.
WITHOUT_DATABASE = {"db", "help", "--help", "-h", "version", "--version"}


def main() -> int:
    """Run one command. What is wrong with the settings or the database's address is told in one line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plumbline.settings")
    try:
        return _run()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return 130


def _run() -> int:
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    from plumbline import embedded
    from plumbline.spec.errors import InputError

    try:
        if len(sys.argv) > 1 and sys.argv[1] not in WITHOUT_DATABASE:
            embedded.ensure_running_if_used()
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, InputError, OperationalError) as error:
        sys.stderr.write(f"error: {' '.join(str(error).split())}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
