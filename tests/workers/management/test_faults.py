"""Whatever goes wrong in a command ends it with one line on stderr and an exit status."""

import io
from pathlib import Path
from typing import NamedTuple
from unittest.mock import Mock

import pytest
from django.core.management.base import OutputWrapper
from django.db import DataError, OperationalError, ProgrammingError
from psycopg.errors import UndefinedTable
from pytest_django import Settings

from plumbline import embedded
from plumbline.spec.errors import InputError
from workers.management import faults


class Usage(NamedTuple):
    free: int


def ended(error: BaseException) -> tuple[int, str]:
    """How a command ends that raises this."""
    stderr = io.StringIO()
    status = faults.status_of(Mock(side_effect=error), OutputWrapper(stderr))
    return status, stderr.getvalue()


def free(monkeypatch: pytest.MonkeyPatch, megabytes: int) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(megabytes * 2**20))


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (InputError("there is no run 9."), 2, "error: there is no run 9.\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (OperationalError("it went\n  away"), 2, "error: the database: it went away\n"),
        (DataError("a number is too large"), 1, "error: the database: a number is too large\n"),
    ],
)
def test_the_exit_status_shows_who_can_mend_it(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, told: str
) -> None:
    free(monkeypatch, 1000)
    assert ended(error) == (status, told)


def test_a_command_that_ends_well_writes_nothing() -> None:
    stderr = io.StringIO()
    assert (faults.status_of(lambda: 0, OutputWrapper(stderr)), stderr.getvalue()) == (0, "")


def test_a_database_without_tables_names_the_command_that_makes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    free(monkeypatch, 1000)
    error = ProgrammingError("relation does not exist")
    error.__cause__ = UndefinedTable()
    assert ended(error) == (2, "error: the database is not set up: run 'manage.py migrate' first.\n")


@pytest.mark.parametrize(("megabytes", "is_told"), [(63, True), (65, False)])
def test_a_full_disk_under_the_embedded_server_is_named(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path, megabytes: int, is_told: bool
) -> None:
    settings.VAR_DIR, settings.DATABASE_URL = tmp_path, embedded.database_url(tmp_path)
    free(monkeypatch, megabytes)
    status, told = ended(OperationalError("it went away"))
    assert status == 2
    assert (f"the disk of {tmp_path} is full ({megabytes} MB left)" in told) == is_told
