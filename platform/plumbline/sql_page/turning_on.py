"""What an operator does to turn the SQL page on: commands with the names of this installation and without a secret."""

import shlex
import sys
from itertools import count
from pathlib import Path

from django.conf import settings
from django.db import connection

from plumbline.results import reader_role

CONTAINER_MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))


def context() -> dict[str, object]:
    """Return what the page shows while no reader is configured."""
    name = _free_name()
    return {
        "command": shlex.join([*_manage(), "reader", "create", "--name", name]),
        "database": connection.settings_dict["NAME"],
        "login": connection.settings_dict["USER"],
        "administrator": "" if reader_role.may_create_roles(connection) else _right_to_create(),
        "in_container": _in_container(),
    }


def _free_name() -> str:
    """Return a name for the reader that the server does not have yet."""
    first = reader_role.default_name(connection)
    names = (first if number == 1 else f"{first}_{number}" for number in count(1))
    return next(name for name in names if not reader_role.role_exists(connection, name))


def _manage() -> list[str]:
    """Return the command line of manage.py: from the folder of Plumbline, or through compose."""
    if _in_container():
        return ["docker", "compose", "exec", "web", "python", "manage.py"]
    return [str(_python().relative_to(settings.BASE_DIR)) if _is_inside() else "python", "manage.py"]


def _in_container() -> bool:
    """Return whether this is the image's Python. A checkout's own .venv may be used in a container, too."""
    return not _is_inside() and any(mark.exists() for mark in CONTAINER_MARKS)


def _is_inside() -> bool:
    return _python().is_relative_to(settings.BASE_DIR)


def _python() -> Path:
    return Path(sys.executable)


def _right_to_create() -> str:
    """Return the SQL by which an administrator allows our login to create readers."""
    return f"ALTER ROLE {connection.ops.quote_name(connection.settings_dict['USER'])} CREATEROLE;"
