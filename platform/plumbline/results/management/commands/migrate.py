"""Django's `migrate` for both planes: views off, Django's migrations, Alembic's revisions, views and grants back."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from plumbline.results import reader, schema

LOCK_KEY = 0x706C756D62  # "plumb": two deployments that start at once migrate one after the other


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if options["plan"] or options["check_unapplied"]:
            self._tell_pending(connection, options)
            super().handle(*args, **options)
            return
        with _alone(connection):
            schema.drop_views(connection)
            try:
                super().handle(*args, **options)
                if not options["app_label"]:
                    self._upgrade(connection, options["verbosity"])
            except BaseException:
                # A migration that fails must not take the analysts' views away with it.
                self._put_views_back(connection, partial=True)
                raise
            self._put_views_back(connection, partial=bool(options["app_label"]))

    def _put_views_back(self, connection: BaseDatabaseWrapper, *, partial: bool) -> None:
        for name in schema.create_views(connection, partial=partial):
            self.stderr.write(f"The view results.{name} is left out: its tables are not there.")
        reader.grant_views(connection)

    def _upgrade(self, connection: BaseDatabaseWrapper, verbosity: int) -> None:
        if schema.upgrade(connection) and verbosity >= 1:
            self.stdout.write(f"Results plane: upgraded to {schema.current_revision(connection)}.")

    def _tell_pending(self, connection: BaseDatabaseWrapper, options: dict[str, Any]) -> None:
        """--plan and --check speak of the results plane too, and change nothing."""
        if options["app_label"] or schema.is_current(connection):
            return
        self.stdout.write(f"Results plane: to be upgraded to {schema.head_revision()}.")
        if options["check_unapplied"]:
            sys.exit(1)


@contextmanager
def _alone(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Hold the advisory lock on a connection of its own: it must outlive every transaction of the migrations."""
    with closing(connection.copy()) as holder, holder.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK_KEY])
        yield
