#!/usr/bin/env python
"""Plumbline's command line: starts the embedded database when no DATABASE_URL names another."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "platform"))

# Commands that neither need a database nor may start one.
WITHOUT_DATABASE = {"db", "help", "--help", "-h", "version", "--version"}


def _refused(error: Exception) -> int:
    sys.stderr.write(f"error: {error}\n")
    return 2


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plumbline.settings")
    from django.core.management import execute_from_command_line

    from plumbline import embedded
    from plumbline.spec.errors import InputError

    if len(sys.argv) > 1 and sys.argv[1] not in WITHOUT_DATABASE:
        try:
            embedded.ensure_running_if_used()
        except InputError as error:
            sys.exit(_refused(error))
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
