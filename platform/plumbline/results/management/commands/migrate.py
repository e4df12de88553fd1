"""Django's `migrate` for both planes: drop views, run Django's migrations and Alembic's revisions, recreate views."""

import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.migrations.executor import MigrationExecutor
from django.template.defaultfilters import filesizeformat

from plumbline.audits import presence
from plumbline.audits.models import Role, Run, WorkerProcess
from plumbline.audits.ownership import is_gone
from plumbline.audits.states import LIVE
from plumbline.results import embedded_login, reader_role, schema
from plumbline.spec.errors import InputError

LOCK_KEY = 0x706C756D62  # "plumb": two simultaneous deployments migrate one after the other
LOCK_POLL = 0.2
"""Seconds between two attempts to take the lock."""

TOLD_FROM = 1_000_000_000
"""The size of records in bytes from which a warning appears, even if quiet, that a revision may read all of them."""


class Command(migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--with-workers", action="store_true", help="migrate even if workers or a scheduler are alive"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if options["plan"] or options["check_unapplied"]:
            self._tell_pending(connection, options)
            super().handle(*args, **options)
            return
        with _alone(connection):
            if _is_pending(connection, options["app_label"]):
                if not options["with_workers"]:
                    _refuse_beside_workers(connection)
                self._migrate(connection, *args, **options)
            else:
                super().handle(*args, **options)
                schema.replace_views(connection)
                reader_role.grant_views(connection)
            embedded_login.create_or_renew(connection)

    def _migrate(self, connection: BaseDatabaseWrapper, *args: Any, **options: Any) -> None:
        schema.drop_views(connection)
        try:
            super().handle(*args, **options)
            if not options["app_label"]:
                self._upgrade(connection, options["verbosity"])
        except BaseException:
            # Recreate the analysts' views even if a migration fails.
            self._put_views_back(connection, partial=True)
            raise
        self._put_views_back(connection, partial=bool(options["app_label"]))

    def _put_views_back(self, connection: BaseDatabaseWrapper, *, partial: bool) -> None:
        for name in schema.create_views(connection, partial=partial):
            self.stderr.write(f"The view results.{name} is left out: its tables do not exist.")
        reader_role.grant_views(connection)

    def _upgrade(self, connection: BaseDatabaseWrapper, verbosity: int) -> None:
        size = schema.records_size(connection)
        if size >= TOLD_FROM and not schema.is_current(connection):
            self.stderr.write(
                f"Results plane: {schema.current_revision(connection)} to {schema.head_revision()} on"
                f" {filesizeformat(size)} of records and indexes. A new index reads all records of its table and needs"
                " additional room on the disk; let it finish."
            )
        if schema.upgrade(connection) and verbosity >= 1:
            self.stdout.write(f"Results plane: upgraded to {schema.current_revision(connection)}.")

    def _tell_pending(self, connection: BaseDatabaseWrapper, options: dict[str, Any]) -> None:
        """Report pending revisions of the results plane for --plan and --check, without changes."""
        if options["app_label"] or schema.is_current(connection):
            return
        self.stdout.write(f"Results plane: to be upgraded to {schema.head_revision()}.")
        if options["check_unapplied"]:
            sys.exit(1)


def _is_pending(connection: BaseDatabaseWrapper, app_label: str | None) -> bool:
    """Return whether anything would change. An app label always counts as a change."""
    executor = MigrationExecutor(connection)
    return bool(
        app_label or executor.migration_plan(executor.loader.graph.leaf_nodes()) or not schema.is_current(connection)
    )


def _refuse_beside_workers(connection: BaseDatabaseWrapper) -> None:
    """Raise InputError if workers live.

    They depend on the tables as they were, and a lock on these would block them.
    """
    if living := _living(connection):
        are = "is" if len(living) == 1 else "are"
        raise InputError(
            f"Nothing was migrated: {len(living)} of our processes {are} alive ({', '.join(living[:3])}). Stop workers,"
            " scheduler, web and commands that execute a run first ('make down', 'docker compose stop');"
            " --with-workers migrates while they run."
        )


def _living(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the names of living workers, schedulers and owners of runs, or none if their tables do not exist yet."""
    if not {WorkerProcess._meta.db_table, Run._meta.db_table} <= set(connection.introspection.table_names()):
        return []
    presence.remove_dead()
    owners = Run.objects.filter(state__in=LIVE).exclude(owner="").order_by().values_list("owner", flat=True)
    pool = {name for role in Role for name in presence.alive(role).values_list("name", flat=True)}
    return sorted(pool | {owner for owner in owners if not is_gone(owner)})


@contextmanager
def _alone(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Hold the advisory lock on its own connection, so that it outlives every transaction of the migrations.

    The lock is polled. A statement that waited for it would hold a snapshot, which another deployment's CREATE INDEX
    CONCURRENTLY would wait for in turn.
    """
    with closing(connection.copy()) as holder, holder.cursor() as cursor:
        while not _is_locked(cursor):
            time.sleep(LOCK_POLL)
        yield


def _is_locked(cursor: CursorWrapper) -> bool:
    cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK_KEY])
    return bool(cursor.fetchone()[0])
