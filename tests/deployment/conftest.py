"""Installations of the tests' own: a folder for their data, a free port, and no word from this shell."""

import http.client
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.patience import PATIENCE
from tests.ports import free_port

ROOT = Path(settings.BASE_DIR)
INHERITED = ("PATH", "HOME", "LANG", "TMPDIR")


@contextmanager
def folder() -> Iterator[Path]:
    """Not pytest's: each session that starts closes the folder above all of theirs to the server's own user."""
    with tempfile.TemporaryDirectory(prefix="plumbline-", ignore_cleanup_errors=True) as made:
        yield Path(made)


def installation(var_dir: Path) -> dict[str, str]:
    """The environment of an installation of its own, on the embedded server."""
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return inherited | {"PLUMBLINE_VAR": str(var_dir), "PORT": str(free_port()), "LOG_FORMAT": "json"}


@pytest.fixture
def var_dir() -> Iterator[Path]:
    """Where an installation may lie, not there yet."""
    with folder() as made:
        yield made / "var"


@pytest.fixture
def environment(var_dir: Path) -> dict[str, str]:
    return installation(var_dir)


def get(port: str, path: str, host: str = "localhost") -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of an answer; status 0 while nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=PATIENCE)
    try:
        connection.request("GET", path, headers={"Host": host})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    except OSError:
        return 0, {}, b""
    finally:
        connection.close()


def wait_until(happened: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, f"{what}: not within {seconds:.0f} s"
        time.sleep(0.1)


def json_lines(text: str) -> list[dict[str, Any]]:
    """Every line as JSON: one that is not fails the test."""
    return [json.loads(line) for line in text.split("\n")[:-1]]
