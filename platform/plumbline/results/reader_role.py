"""The role that may only read the views.

The grants belong to a group role (one per database, since roles are global), and login roles are its members. Only a
login as reader protects: after SET ROLE, one statement restores the owner.
"""

import secrets
from urllib.parse import quote

from django.db import ProgrammingError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql

from plumbline.results import fence
from plumbline.results.schema import existing_views
from plumbline.results.tables import SCHEMA
from plumbline.spec.errors import InputError

STATEMENT_TIMEOUT = "30s"
TEMPORARY_FILES = "2GB"
MOST_CONNECTIONS = 10
"""The connections of one reader at a time. Each may take the memory that the server gives a process."""
LONGEST_NAME = 63
PLAIN_QUERIES = {
    "work_mem": "16MB",
    "hash_mem_multiplier": "1",
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
}
"""Settings with which a reader's queries take little memory. The SQL page has no way to change them."""
_READERS = (
    "SELECT role.rolname FROM pg_auth_members AS part JOIN pg_roles AS role ON role.oid = part.member"
    " WHERE part.roleid = %s::regrole AND NOT part.admin_option AND role.rolcanlogin AND NOT role.rolsuper"
)


def group_role(django: BaseDatabaseWrapper) -> str:
    return f"{_database(django)}_reader"


def default_name(django: BaseDatabaseWrapper) -> str:
    """Return the name of a reader that `reader create` makes without --name."""
    return f"{_database(django)}_analyst"


def create_reader(django: BaseDatabaseWrapper, name: str = "", password: str = "") -> str:
    """Create a login role and return its address. Without a given password, only the address holds it.

    Raises InputError if the role exists, the name is too long, or this user may not create roles.
    """
    name = name or default_name(django)
    if len(name.encode()) > LONGEST_NAME:
        raise InputError(f"the name {name!r} is longer than {LONGEST_NAME} bytes; choose a shorter one.")
    if role_exists(django, name):
        raise InputError(f"the role {name!r} already exists; choose another with --name or drop it first.")
    password = password or secrets.token_urlsafe(32)
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
    if not role_exists(django, group):
        return
    if is_superuser(django):
        fence.close_functions(django)
        _limit_files(django)
        _limit_connections(django)
    statements = ["GRANT CONNECT ON DATABASE {database} TO {group}", "GRANT USAGE ON SCHEMA {schema} TO {group}"]
    for statement in statements:
        _execute(django, statement, database=_database(django), schema=SCHEMA, group=group)
    for view in existing_views(django):
        _execute(django, "GRANT SELECT ON {schema}.{view} TO {group}", schema=SCHEMA, view=view, group=group)


def _create_group(django: BaseDatabaseWrapper) -> None:
    if not role_exists(django, group_role(django)):
        _execute(django, "CREATE ROLE {group} NOLOGIN", group=group_role(django))
    # By default everybody may create temporary tables, but a reader must not write.
    _execute(django, "REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC", database=_database(django))


def _limit_files(django: BaseDatabaseWrapper) -> None:
    """Limit the temporary files of readers, so that a query with a large sort cannot fill the disk.

    A limit set by an operator stays. Administrators of the group are not readers.
    """
    with django.cursor() as cursor:
        cursor.execute(
            _READERS + " AND NOT EXISTS (SELECT FROM pg_db_role_setting, unnest(setconfig) AS setting"
            " WHERE setrole = role.oid AND starts_with(setting, 'temp_file_limit='))",
            [sql.Identifier(group_role(django)).as_string()],
        )
        found = cursor.fetchall()
    for (role,) in found:
        _execute(django, f"ALTER ROLE {{role}} SET temp_file_limit = '{TEMPORARY_FILES}'", role=role)


def _limit_connections(django: BaseDatabaseWrapper) -> None:
    """Limit the connections of readers that have no limit."""
    with django.cursor() as cursor:
        cursor.execute(_READERS + " AND role.rolconnlimit = -1", [sql.Identifier(group_role(django)).as_string()])
        found = cursor.fetchall()
    for (role,) in found:
        _execute(django, f"ALTER ROLE {{role}} CONNECTION LIMIT {MOST_CONNECTIONS}", role=role)


def _create_login(django: BaseDatabaseWrapper, name: str, password: str) -> None:
    _execute(
        django,
        f"CREATE ROLE {{name}} LOGIN CONNECTION LIMIT {MOST_CONNECTIONS} IN ROLE {{group}}",
        name=name,
        group=group_role(django),
    )
    set_password(django, name, password)
    _execute(django, "ALTER ROLE {role} SET default_transaction_read_only = on", role=name)
    _execute(django, f"ALTER ROLE {{role}} SET statement_timeout = '{STATEMENT_TIMEOUT}'", role=name)
    for setting, value in PLAIN_QUERIES.items():
        _execute(django, f"ALTER ROLE {{role}} SET {setting} = '{value}'", role=name)


def set_password(django: BaseDatabaseWrapper, name: str, password: str) -> None:
    """Give a login its password."""
    django.ensure_connection()
    # Hashed here so that the server's statement log never shows the password.
    secret = django.connection.pgconn.encrypt_password(password.encode(), name.encode(), b"scram-sha-256")
    with django.cursor() as cursor:
        cursor.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(name), sql.Literal(secret.decode())))


def _execute(django: BaseDatabaseWrapper, statement: str, **names: str) -> None:
    with django.cursor() as cursor:
        cursor.execute(sql.SQL(statement).format(**{key: sql.Identifier(name) for key, name in names.items()}))


def is_superuser(django: BaseDatabaseWrapper) -> bool:
    """Return whether our own login is a superuser."""
    with django.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        return bool(cursor.fetchone()[0])


def may_cancel(django: BaseDatabaseWrapper) -> bool:
    """Return whether our own login may cancel the queries of other logins."""
    with django.cursor() as cursor:
        cursor.execute("SELECT pg_has_role(current_user, 'pg_signal_backend', 'USAGE')")  # true for a superuser
        return bool(cursor.fetchone()[0])


def may_create_roles(django: BaseDatabaseWrapper) -> bool:
    """Return whether our own login may create readers."""
    with django.cursor() as cursor:
        cursor.execute("SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
        return bool(cursor.fetchone()[0])


def role_exists(django: BaseDatabaseWrapper, name: str) -> bool:
    """Return whether the server has a role of this name."""
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
