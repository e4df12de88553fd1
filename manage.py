#!/usr/bin/env python
"""Plumbline's command line: starts the embedded database when no DATABASE_URL names another."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "platform"))

# Commands that neither need a database nor may start one. The doctor must find a stopped one as it is.
WITHOUT_DATABASE = {"db", "doctor", "help", "--help", "-h", "version", "--version"}
ACTIONS_WITHOUT_DATABASE = (["audit", "verify"], ["audit", "pack-key"])


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
        command = sys.argv[1] if len(sys.argv) > 1 else "help"
        without = command in WITHOUT_DATABASE or sys.argv[1:3] in ACTIONS_WITHOUT_DATABASE
        was_down = not without and embedded.ensure_running_if_used()
        if was_down and command == "audit":
            sys.stderr.write("The embedded database was down, so no run went on. This command started it again.\n")
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, InputError, OperationalError) as error:
        full = isinstance(error, OperationalError) and embedded.disk_fault()
        sys.stderr.write(f"error: {full or ' '.join(str(error).split())}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
