"""Lines about the database: its version, migrations, clock, the reader, and the processes that it knows."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import psycopg
from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

from plumbline import embedded
from plumbline.accounts import mail
from plumbline.accounts.models import Invitation
from plumbline.audits import clock, presence
from plumbline.audits.models import Role
from plumbline.desk.doctor.line import Line, note, ok, wrong
from plumbline.results import fence, schema

OLDEST_POSTGRESQL = 15
MOST_CLOCK_DIFFERENCE = timedelta(seconds=5)
READER_SECONDS = 5


def lines() -> Iterator[Line]:
    """Yield the lines, or only that the database does not answer."""
    try:
        yield _server()
    except Error as error:
        why = " ".join(str(error).split())
        yield wrong("database", f"does not answer ({why})", embedded.remedy())
        return
    yield _clock()
    migrations = _migrations()
    yield migrations
    yield _reader()
    if migrations.remedy:
        return  # The tables of the processes may be missing.
    yield from _invitations()
    yield _processes(Role.WORKER, presence.NOBODY)
    yield _processes(Role.SCHEDULER, presence.NO_SCHEDULER)


def _server() -> Line:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version'), rolsuper FROM pg_roles WHERE rolname = current_user")
        version, superuser = cursor.fetchone()
    if int(version.split(".")[0]) < OLDEST_POSTGRESQL:
        return wrong("database", f"is PostgreSQL {version}", f"use version {OLDEST_POSTGRESQL} or newer")
    if superuser and os.environ.get("DATABASE_URL"):
        remedy = "give DATABASE_URL a login of its own: docs/operators.md, 'The login of the database'"
        return note("database", f"PostgreSQL {version}, and our login is a superuser", remedy)
    return ok("database", f"PostgreSQL {version}")


def _clock() -> Line:
    """Compare the clocks. The question itself takes time, so its middle counts."""
    before = datetime.now(UTC)
    server = clock.now()
    difference = abs(server - (before + (datetime.now(UTC) - before) / 2))
    what = f"differs from the database's by {difference.total_seconds():.1f} s"
    return ok("clock", what) if difference <= MOST_CLOCK_DIFFERENCE else wrong("clock", what, "set the clock by NTP")


def _migrations() -> Line:
    executor = MigrationExecutor(connection)
    pending = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    current = schema.is_current(connection)
    if not pending and current:
        return ok("migrations", f"all applied, results at {schema.head_revision()}")
    what = f"{pending} of Django are not applied; the results are {'current' if current else 'not current'}"
    return wrong("migrations", what, "stop all processes, then run 'manage.py migrate'")


def _reader() -> Line:
    if not settings.READER_DATABASE_URL:
        remedy = "'manage.py reader create', then add the printed line to the environment"
        return note("reader", "READER_DATABASE_URL is not set, so the SQL page is off", remedy)
    try:
        with psycopg.connect(settings.READER_DATABASE_URL, connect_timeout=READER_SECONDS) as reader:
            superuser = reader.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    except psycopg.Error:
        return wrong("reader", "cannot log in", "set READER_DATABASE_URL to what 'manage.py reader create' prints")
    if superuser and superuser[0]:
        return wrong("reader", "is a superuser, which may do everything", "use what 'manage.py reader create' prints")
    if left := len(fence.statements_left(connection)):
        remedy = "an administrator runs 'manage.py reader statements | psql DATABASE'"
        return wrong("reader", f"has rights that {left} statements would revoke", remedy)
    return ok("reader", "may only read the views")


def _invitations() -> Iterator[Line]:
    """Yield a line if invitations wait and no mail is sent, so that somebody hands their links over."""
    if (waiting := Invitation.objects.count()) and not mail.is_set():
        what = f"{waiting} open, and no mail is sent"
        remedy = "hand the links over (page “People and roles”), or set EMAIL_URL and send them again"
        yield note("invitations", what, remedy)


def _processes(role: Role, remedy: str) -> Line:
    """Count the living processes. The remedy is the part of the presence's message after its first colon."""
    if count := presence.alive(role).count():
        return ok(f"{role.value}s", f"{count} alive")
    what, _, then = remedy.partition(": ")
    return wrong(f"{role.value}s", what, then)
