"""The schema of the results plane: Alembic's revisions, and views on top.

Alembic runs on its own connection, opened with Django's parameters and closed at once. On Django's connection,
SQLAlchemy's begin() would commit Django's transaction.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from django.conf import settings
from django.db import ProgrammingError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql
from sqlalchemy import Connection, NullPool, create_engine

from plumbline.results.tables import SCHEMA

VIEWS = sorted((Path(__file__).parent / "views").glob("*.sql"))
VERSION_TABLE = "alembic_version"
_DJANGO_ONLY = {"cursor_factory", "context", "prepare_threshold"}


def upgrade(django: BaseDatabaseWrapper) -> bool:
    """Upgrade the tables to Alembic's head. Returns whether anything changed."""
    if is_current(django):
        return False
    with own_connection(django) as connection:
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    return True


def is_current(django: BaseDatabaseWrapper) -> bool:
    return current_revision(django) == head_revision()


def head_revision() -> str | None:
    return ScriptDirectory.from_config(_config()).get_current_head()


def current_revision(django: BaseDatabaseWrapper) -> str | None:
    """Return the database's revision, or None before the first."""
    with django.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [f"{SCHEMA}.{VERSION_TABLE}"])
        if cursor.fetchone() == (None,):
            return None
        cursor.execute(f"SELECT version_num FROM {SCHEMA}.{VERSION_TABLE}")  # noqa: S608 - constants
        row = cursor.fetchone()
        return row[0] if row else None


def records_size(django: BaseDatabaseWrapper) -> int:
    """Return the size of all tables of the plane in bytes, indexes included."""
    with django.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class"
            " WHERE relnamespace = to_regnamespace(%s) AND relkind = 'r'",
            [SCHEMA],
        )
        return int(cursor.fetchone()[0])


@contextmanager
def own_connection(django: BaseDatabaseWrapper) -> Iterator[Connection]:
    """Open an SQLAlchemy connection to the same database, separate from Django's and without a pool."""
    found = django.get_connection_params()
    parameters = {name: value for name, value in found.items() if name not in _DJANGO_ONLY}
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(**parameters), poolclass=NullPool)
    with engine.connect() as connection:
        yield connection


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(settings.BASE_DIR / "migrations").replace("%", "%%"))
    return config


def existing_views(django: BaseDatabaseWrapper) -> list[str]:
    with django.cursor() as cursor:
        cursor.execute("SELECT viewname FROM pg_views WHERE schemaname = %s ORDER BY 1", [SCHEMA])
        return [name for (name,) in cursor.fetchall()]


def drop_views(django: BaseDatabaseWrapper) -> None:
    """Drop our views, which block ALTER TABLE. A user's view that depends on one raises an error and stays."""
    with transaction.atomic(using=django.alias), django.cursor() as cursor:
        for path in VIEWS:
            cursor.execute(sql.SQL("DROP VIEW IF EXISTS {}").format(sql.Identifier(SCHEMA, path.stem)))


def replace_views(django: BaseDatabaseWrapper) -> None:
    """Bring the views up to date where the tables are current. Nobody finds one missing, unless its columns change."""
    try:
        create_views(django)
    except ProgrammingError:
        drop_views(django)
        create_views(django)


def create_views(django: BaseDatabaseWrapper, *, partial: bool = False) -> list[str]:
    """Create the views of views/*.sql. Returns the names left out.

    A view without its tables is an error. With `partial` it is left out, since `migrate APP zero` removed them.
    """
    left_out = []
    for path in VIEWS:
        try:
            with transaction.atomic(using=django.alias), django.cursor() as cursor:
                cursor.execute(path.read_text())
        except ProgrammingError:
            if not partial:
                raise
            left_out.append(path.stem)
    return left_out
