"""The settings that the supervisor takes from the environment, checked before anything starts."""

import os
import socket
from collections.abc import Mapping
from pathlib import Path

from plumbline import embedded
from plumbline.spec.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
DEFAULTS = {"HOST": "127.0.0.1", "PORT": "8000", "WORKERS": "1"}
LIMITS = {"PORT": 65535, "WORKERS": 1024}
LONGEST_SOCKET_PATH = 95  # the system's 107, less what the supervisor appends while it creates the socket


def var_dir() -> Path:
    """Return the absolute folder of data, logs and the supervisor's socket, since processes start elsewhere."""
    return embedded.used_var_dir().resolve()


def control_socket() -> Path:
    return var_dir() / "supervisor.sock"


def environment() -> dict[str, str]:
    """Return the environment of all programs. Raises InputError that names an invalid variable."""
    found = DEFAULTS | {name: value for name, value in os.environ.items() if value}
    for name, most in LIMITS.items():
        if not found[name].isdecimal() or not 1 <= int(found[name]) <= most:
            raise InputError(f"{name} must be a number from 1 to {most}, not {found[name]!r}.")
    if len(os.fsencode(control_socket())) > LONGEST_SOCKET_PATH:
        raise InputError(f"{var_dir()} is too long a path for a socket; set PLUMBLINE_VAR to a shorter folder.")
    return found | {"PLUMBLINE_VAR": str(var_dir())}


def refuse_used_port(settings: Mapping[str, str]) -> None:
    """Raise InputError if the address is in use. The web process itself would retry forever."""
    host, port = settings["HOST"].strip("[]"), int(settings["PORT"])
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        raise InputError(
            f"web cannot listen on {host}:{port} ({error.strerror}): choose another PORT or HOST."
        ) from None
