"""The role that reads the views and nothing else.

A group role, one per database since roles belong to the whole server, holds the grants; login roles are its members.
Logging in as a reader is what protects: after SET ROLE alone, one statement regains the owner.
"""

import secrets
from urllib.parse import quote

from django.db import ProgrammingError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql

from plumbline.results.schema import existing_views
from plumbline.results.tables import SCHEMA
from plumbline.spec.errors import InputError

LARGE_OBJECT_WRITERS = (
    "lo_creat(integer)",
    "lo_create(oid)",
    "lo_from_bytea(oid, bytea)",
    "lo_put(oid, bigint, bytea)",
    "lowrite(integer, bytea)",
)
STATEMENT_TIMEOUT = "30s"
TEMPORARY_FILES = "2GB"
LONGEST_NAME = 63


def group_role(django: BaseDatabaseWrapper) -> str:
    return f"{_database(django)}_reader"


def create_reader(django: BaseDatabaseWrapper, name: str = "") -> str:
    """Make a login role; returns its address, the only place where its password stands.

    InputError when the role exists, the name is too long, or this user may not create roles.
    """
    name = name or f"{_database(django)}_analyst"
    if len(name.encode()) > LONGEST_NAME:
        raise InputError(f"the name {name!r} is longer than {LONGEST_NAME} bytes; choose a shorter one.")
    if _role_exists(django, name):
        raise InputError(f"the role {name!r} exists already; choose another with --name, or drop it first.")
    password = secrets.token_urlsafe(32)
    try:
        with transaction.atomic(using=django.alias):
            _create_group(django)
            _create_login(django, name, password)
            grant_views(django)
    except ProgrammingError as error:
        raise InputError(f"the reader cannot be made: {error}. Connect as a user with the right CREATEROLE.") from error
    return _url(django, name, password)


def grant_views(django: BaseDatabaseWrapper) -> None:
    """Let the group read the views that exist now; nothing to do before the first reader is made."""
    group = group_role(django)
    if not _role_exists(django, group):
        return
    statements = ["GRANT CONNECT ON DATABASE {database} TO {group}", "GRANT USAGE ON SCHEMA {schema} TO {group}"]
    for statement in statements:
        _execute(django, statement, database=_database(django), schema=SCHEMA, group=group)
    for view in existing_views(django):
        _execute(django, "GRANT SELECT ON {schema}.{view} TO {group}", schema=SCHEMA, view=view, group=group)


def _create_group(django: BaseDatabaseWrapper) -> None:
    if not _role_exists(django, group_role(django)):
        _execute(django, "CREATE ROLE {group} NOLOGIN", group=group_role(django))
    # Everybody may make temporary tables by default; a reader shall write nothing at all.
    _execute(django, "REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC", database=_database(django))
    if _is_superuser(django):
        for function in LARGE_OBJECT_WRITERS:
            _execute(django, f"REVOKE EXECUTE ON FUNCTION {function} FROM PUBLIC")


def _create_login(django: BaseDatabaseWrapper, name: str, password: str) -> None:
    django.ensure_connection()
    # Hashed here, so that the server's log of statements never shows the password.
    secret = django.connection.pgconn.encrypt_password(password.encode(), name.encode(), b"scram-sha-256")
    with django.cursor() as cursor:
        cursor.execute(
            sql.SQL("CREATE ROLE {} LOGIN PASSWORD {} IN ROLE {}").format(
                sql.Identifier(name), sql.Literal(secret.decode()), sql.Identifier(group_role(django))
            )
        )
    _execute(django, "ALTER ROLE {role} SET default_transaction_read_only = on", role=name)
    _execute(django, f"ALTER ROLE {{role}} SET statement_timeout = '{STATEMENT_TIMEOUT}'", role=name)
    if _is_superuser(django):
        # A question with a large sort, or none of sense, shall not fill the disk that runs are written to.
        _execute(django, f"ALTER ROLE {{role}} SET temp_file_limit = '{TEMPORARY_FILES}'", role=name)


def _execute(django: BaseDatabaseWrapper, statement: str, **names: str) -> None:
    with django.cursor() as cursor:
        cursor.execute(sql.SQL(statement).format(**{key: sql.Identifier(name) for key, name in names.items()}))


def _is_superuser(django: BaseDatabaseWrapper) -> bool:
    with django.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        return bool(cursor.fetchone()[0])


def _role_exists(django: BaseDatabaseWrapper, name: str) -> bool:
    with django.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
        return cursor.fetchone() is not None


def _database(django: BaseDatabaseWrapper) -> str:
    return str(django.settings_dict["NAME"])


def _url(django: BaseDatabaseWrapper, name: str, password: str) -> str:
    """The same server and database under another login; host and port as parameters, since a host may be a folder."""
    found = django.get_connection_params()
    where = "&".join(f"{key}={quote(str(found[key]))}" for key in ("host", "port") if found.get(key))
    return f"postgres://{quote(name)}:{password}@/{quote(_database(django))}?{where}"
