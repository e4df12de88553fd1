"""The role that may only read the views.

The grants belong to a group role (one per database, since roles are global), and login roles are its members. Only a
login as reader protects: after SET ROLE, one statement restores the owner.
"""

import secrets
from urllib.parse import quote

from django.db import ProgrammingError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql

from plumbline.results.schema import existing_views
from plumbline.results.tables import SCHEMA
from plumbline.spec.errors import InputError

WITHHELD = "^(lo_creat|lo_create|lo_from_bytea|lo_put|lowrite|pg_(cancel|terminate)_backend|pg_(try_)?advisory_.*)$"
"""Functions that PUBLIC may call by default: they write, cancel other sessions of the same login, or hold the locks
that separate migrations and queries.
"""
STATEMENT_TIMEOUT = "30s"
TEMPORARY_FILES = "2GB"
LONGEST_NAME = 63


def group_role(django: BaseDatabaseWrapper) -> str:
    return f"{_database(django)}_reader"


def create_reader(django: BaseDatabaseWrapper, name: str = "") -> str:
    """Create a login role and return its address, the only place that holds its password.

    Raises InputError if the role exists, the name is too long, or this user may not create roles.
    """
    name = name or f"{_database(django)}_analyst"
    if len(name.encode()) > LONGEST_NAME:
        raise InputError(f"the name {name!r} is longer than {LONGEST_NAME} bytes; choose a shorter one.")
    if _role_exists(django, name):
        raise InputError(f"the role {name!r} already exists; choose another with --name or drop it first.")
    password = secrets.token_urlsafe(32)
    try:
        with transaction.atomic(using=django.alias):
            _create_group(django)
            _create_login(django, name, password)
            grant_views(django)
    except ProgrammingError as error:
        raise InputError(
            f"the reader cannot be created: {error}. Connect as a user with the right CREATEROLE."
        ) from error
    return _url(django, name, password)


def grant_views(django: BaseDatabaseWrapper) -> None:
    """Grant the group access to the existing views. Without a reader there is nothing to do.

    A superuser also renews the limits, which readers of earlier versions may lack.
    """
    group = group_role(django)
    if not _role_exists(django, group):
        return
    if is_superuser(django):
        _withhold_functions(django)
        _limit_files(django)
    statements = ["GRANT CONNECT ON DATABASE {database} TO {group}", "GRANT USAGE ON SCHEMA {schema} TO {group}"]
    for statement in statements:
        _execute(django, statement, database=_database(django), schema=SCHEMA, group=group)
    for view in existing_views(django):
        _execute(django, "GRANT SELECT ON {schema}.{view} TO {group}", schema=SCHEMA, view=view, group=group)


def _create_group(django: BaseDatabaseWrapper) -> None:
    if not _role_exists(django, group_role(django)):
        _execute(django, "CREATE ROLE {group} NOLOGIN", group=group_role(django))
    # By default everybody may create temporary tables, but a reader must not write.
    _execute(django, "REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC", database=_database(django))


def _withhold_functions(django: BaseDatabaseWrapper) -> None:
    """Revoke these functions from PUBLIC in this database. A single role cannot be denied what PUBLIC has."""
    with django.cursor() as cursor:
        cursor.execute(
            "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace"
            " AND proname ~ %s AND has_function_privilege('public', oid, 'EXECUTE')",
            [WITHHELD],
        )
        for (function,) in cursor.fetchall():
            cursor.execute(f"REVOKE EXECUTE ON FUNCTION {function} FROM PUBLIC")


def _limit_files(django: BaseDatabaseWrapper) -> None:
    """Limit the temporary files of readers, so that a query with a large sort cannot fill the disk.

    A limit set by an operator stays. Administrators of the group are not readers.
    """
    with django.cursor() as cursor:
        cursor.execute(
            "SELECT role.rolname FROM pg_auth_members AS part JOIN pg_roles AS role ON role.oid = part.member"
            " WHERE part.roleid = %s::regrole AND NOT part.admin_option AND role.rolcanlogin AND NOT role.rolsuper"
            " AND NOT EXISTS (SELECT FROM pg_db_role_setting, unnest(setconfig) AS setting"
            " WHERE setrole = role.oid AND starts_with(setting, 'temp_file_limit='))",
            [sql.Identifier(group_role(django)).as_string()],
        )
        found = cursor.fetchall()
    for (role,) in found:
        _execute(django, f"ALTER ROLE {{role}} SET temp_file_limit = '{TEMPORARY_FILES}'", role=role)


def _create_login(django: BaseDatabaseWrapper, name: str, password: str) -> None:
    django.ensure_connection()
    # Hashed here so that the server's statement log never shows the password.
    secret = django.connection.pgconn.encrypt_password(password.encode(), name.encode(), b"scram-sha-256")
    with django.cursor() as cursor:
        cursor.execute(
            sql.SQL("CREATE ROLE {} LOGIN PASSWORD {} IN ROLE {}").format(
                sql.Identifier(name), sql.Literal(secret.decode()), sql.Identifier(group_role(django))
            )
        )
    _execute(django, "ALTER ROLE {role} SET default_transaction_read_only = on", role=name)
    _execute(django, f"ALTER ROLE {{role}} SET statement_timeout = '{STATEMENT_TIMEOUT}'", role=name)


def _execute(django: BaseDatabaseWrapper, statement: str, **names: str) -> None:
    with django.cursor() as cursor:
        cursor.execute(sql.SQL(statement).format(**{key: sql.Identifier(name) for key, name in names.items()}))


def is_superuser(django: BaseDatabaseWrapper) -> bool:
    """Return whether our own login is a superuser."""
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
    """Return the address of the same database for another login.

    Host and port are parameters: a host may be a folder.
    """
    found = django.get_connection_params()
    where = "&".join(f"{key}={quote(str(found[key]))}" for key in ("host", "port") if found.get(key))
    return f"postgres://{quote(name)}:{password}@/{quote(_database(django))}?{where}"
