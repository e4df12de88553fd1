"""The fence around readers: functions that they may not execute, and databases that they may not enter.

PUBLIC has these rights by default, and a single role cannot be denied what PUBLIC has. So they are revoked from PUBLIC,
and the logins that had them keep them. What our own login may not revoke is left to an administrator, as statements.
"""

from collections.abc import Iterable

from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql

from plumbline.results.withheld_functions import PATTERN

MAINTENANCE = ("postgres", "template1")
"""Databases that belong to no application. Others are left to their owners."""
_FUNCTIONS = """
SELECT oid::regprocedure::text FROM pg_proc
WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ %s AND has_function_privilege('public', oid, 'EXECUTE')
ORDER BY 1
"""
_DATABASES = """
SELECT datname, pg_has_role(datdba, 'USAGE') FROM pg_database
WHERE datallowconn AND datname <> current_database() AND has_database_privilege('public', oid, 'CONNECT')
ORDER BY 1
"""
# A superuser needs no grant, and a reader must not get one: its group's name ends so.
_OTHER_LOGINS = r"""
SELECT role.rolname FROM pg_roles AS role
WHERE rolcanlogin AND NOT rolsuper AND NOT EXISTS (
    SELECT FROM pg_auth_members AS part JOIN pg_roles AS readers ON readers.oid = part.roleid
    WHERE part.member = role.oid AND readers.rolname LIKE '%\_reader')
ORDER BY 1
"""


def close_functions(django: BaseDatabaseWrapper) -> None:
    """Withhold the functions in this database. Only a superuser may."""
    for statement in _of_functions(open_functions(django), ()):
        _execute(django, statement)


def close_databases(django: BaseDatabaseWrapper) -> None:
    """Close the server's maintenance databases to PUBLIC where our login may. Logins that are no readers keep them."""
    for name, ours in _open_databases(django):
        if ours and name in MAINTENANCE:
            for statement in _of_database(name, _other_logins(django)):
                _execute(django, statement)


def statements_left(django: BaseDatabaseWrapper) -> list[str]:
    """Return the statements that an administrator must run in this database to complete the fence."""
    logins = _other_logins(django)
    closing = [one for name, _ in _open_databases(django) for one in _of_database(name, logins)]
    functions = open_functions(django)
    signals = [f"GRANT pg_signal_backend TO {_name(_user(django))}"] if functions else []
    return [*closing, *_of_functions(functions, [_user(django)]), *signals]


def open_functions(django: BaseDatabaseWrapper) -> list[str]:
    """Return the signatures of the withheld functions that PUBLIC may still execute."""
    with django.cursor() as cursor:
        cursor.execute(_FUNCTIONS, [PATTERN])
        return [function for (function,) in cursor.fetchall()]


def open_databases(django: BaseDatabaseWrapper) -> list[str]:
    """Return the server's other databases that PUBLIC, and so each reader, may enter."""
    return [name for name, _ in _open_databases(django)]


def _open_databases(django: BaseDatabaseWrapper) -> list[tuple[str, bool]]:
    with django.cursor() as cursor:
        cursor.execute(_DATABASES)
        return list(cursor.fetchall())


def _other_logins(django: BaseDatabaseWrapper) -> list[str]:
    with django.cursor() as cursor:
        cursor.execute(_OTHER_LOGINS)
        return [name for (name,) in cursor.fetchall()]


def _of_database(name: str, keep: Iterable[str]) -> list[str]:
    kept = ", ".join(map(_name, keep))
    grants = [f"GRANT CONNECT ON DATABASE {_name(name)} TO {kept}"] if kept else []
    return [*grants, f"REVOKE CONNECT, TEMPORARY ON DATABASE {_name(name)} FROM PUBLIC"]


def _of_functions(functions: list[str], keep: Iterable[str]) -> list[str]:
    if not functions:
        return []
    listed, kept = ", ".join(functions), ", ".join(map(_name, keep))
    grants = [f"GRANT EXECUTE ON FUNCTION {listed} TO {kept}"] if kept else []
    return [*grants, f"REVOKE EXECUTE ON FUNCTION {listed} FROM PUBLIC"]


def _execute(django: BaseDatabaseWrapper, statement: str) -> None:
    with django.cursor() as cursor:
        cursor.execute(statement)


def _name(name: str) -> str:
    return sql.Identifier(name).as_string()


def _user(django: BaseDatabaseWrapper) -> str:
    with django.cursor() as cursor:
        cursor.execute("SELECT current_user")
        return str(cursor.fetchone()[0])
