"""Databases that `manage.py migrate` made once for all processes of the tests, and copies of them.

To migrate an empty database takes twenty seconds of a core; to copy a migrated one takes less than one.
"""

import fcntl
import os
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg import sql

from plumbline import embedded, embedded_reader, postgres_programs
from tests.processes import forked

LOCK_KEY = 0x636F70696573  # "copies"
TEMPLATE = "test_migrated_plumbline"
SESSION = os.environ.get("PYTEST_XDIST_TESTRUNUID") or secrets.token_hex(16)
"""All processes of one session of the tests know it."""
MIGRATED: tuple[str, ...] = ("migrate --verbosity 0",)
STARTED: tuple[str, ...] = (*MIGRATED, "vocab starter", "plans starter")
"""Commands of manage.py that make an installation, as `make setup` runs them."""


def install(var_dir: Path, commands: tuple[str, ...] = MIGRATED) -> None:
    """Put a stopped embedded server into an empty folder, its database as these commands of manage.py leave it.

    The password of its SQL page comes along.
    """
    var_dir.mkdir(parents=True, exist_ok=True)
    stopped = _stopped(commands)
    subprocess.run(["cp", "--archive", stopped / "postgres", stopped / embedded_reader.SECRET, var_dir], check=True)
    postgres_programs.open_way_to(var_dir / "postgres")


def _stopped(commands: tuple[str, ...]) -> Path:
    """The folder of a stopped server that was made by these commands; the first caller of the session makes it."""
    folder = Path(forked.server()).parent / "-".join(" ".join(commands).split())
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _make(folder, commands)
    return folder


def _make(folder: Path, commands: tuple[str, ...]) -> None:
    draft = folder.with_suffix(".draft")
    if commands[:-1]:
        subprocess.run(["cp", "--archive", _stopped(commands[:-1]), draft], check=True)
    kept = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    try:
        made = forked.run("manage.py", *commands[-1].split(), env=kept | {"PLUMBLINE_VAR": str(draft)})
        assert made.returncode == 0, made.stderr
    finally:
        embedded.stop(draft)
    draft.rename(folder)


@contextmanager
def test_database() -> Iterator[None]:
    """Point Django's connection to a migrated test database of this process, as Django's own test runner does.

    The first process of a session migrates a template, from which each copies its own.
    """
    before, name = settings.DATABASES["default"]["NAME"], connection.creation._get_test_db_name()  # type: ignore[attr-defined]
    with connection._nodb_cursor() as server:
        server.execute("SELECT pg_advisory_lock(%s)", [LOCK_KEY])
        makes = _session_of(server, TEMPLATE) != SESSION
        if makes:
            _make_template(server)
        _copy(server, TEMPLATE, name)
    _point_to(name)
    with _all_end_together():
        yield
    connection.creation.destroy_test_db(before, verbosity=0)
    if makes:
        with connection._nodb_cursor() as server:
            _drop(server, TEMPLATE)


@contextmanager
def _all_end_together() -> Iterator[None]:
    """Wait at the end until all processes of the session are here.

    DROP DATABASE first writes what other databases changed to the disk: a minute for those of six processes. Databases
    that are dropped at the same time have nothing left to write.
    """
    of_session = (LOCK_KEY & 0x7FFFFFFF, SESSION)
    with connection._nodb_cursor() as server:
        server.execute("SELECT pg_advisory_lock_shared(%s, hashtext(%s))", of_session)
        yield
        server.execute("SELECT pg_advisory_unlock_shared(%s, hashtext(%s))", of_session)
        server.execute("SELECT pg_advisory_lock(%s, hashtext(%s))", of_session)


def _session_of(server: CursorWrapper, name: str) -> str | None:
    """The session that made a database, None if it does not exist."""
    server.execute("SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s", [name])
    return next((session for (session,) in server.fetchall()), None)


def _make_template(server: CursorWrapper) -> None:
    """It has a name of its own, so that no role of a test has rights in it.

    A killed session leaves it to the next, which replaces it.
    """
    _copy(server, "template0", TEMPLATE)
    _point_to(TEMPLATE)
    call_command("migrate", verbosity=0)
    connection.close()
    server.execute(sql.SQL("COMMENT ON DATABASE {} IS {}").format(sql.Identifier(TEMPLATE), SESSION))


def _copy(server: CursorWrapper, source: str, name: str) -> None:
    _drop(server, name)
    statement = "CREATE DATABASE {} TEMPLATE {}"
    server.execute(sql.SQL(statement).format(sql.Identifier(name), sql.Identifier(source)))


def _drop(server: CursorWrapper, name: str) -> None:
    server.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))


def _point_to(name: str) -> None:
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
