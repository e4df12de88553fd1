"""The reader, tried for real: a second connection with the address that the command prints."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.db import connection
from psycopg import sql
from psycopg.conninfo import make_conninfo
from pytest_django import Settings

from plumbline import embedded, embedded_reader
from plumbline.results import embedded_login, fence
from plumbline.results.reader_role import create_reader, grant_views, group_role
from plumbline.spec.errors import InputError
from tests.plumbline.results.conftest import CELLS, Load, _load


def name() -> str:
    """Of this database: roles belong to the whole server, and tests may run beside one another."""
    return f"{group_role(connection)}_test"


def drop_roles() -> None:
    with connection.cursor() as cursor:
        for role in (name(), group_role(connection)):
            cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
            if cursor.fetchone():
                cursor.execute(sql.SQL("DROP OWNED BY {role}; DROP ROLE {role}").format(role=sql.Identifier(role)))


@pytest.fixture(params=["reader create", "migrate"])
def reader(
    transactional_db: None,
    empty_results: None,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> Iterator[psycopg.Connection[Any]]:
    """The login that an operator makes, and the one that an embedded database gets by itself."""
    drop_roles()
    monkeypatch.setattr(fence, "MAINTENANCE", ())  # others use the server of the tests
    _load(1, CELLS)
    makes = created_by_migrate if request.param == "migrate" else created_by_operator
    with psycopg.connect(makes(monkeypatch, tmp_path), autocommit=True) as found:
        yield found
    drop_roles()


def created_by_operator(_: pytest.MonkeyPatch, __: Path) -> str:
    out = StringIO()
    call_command("reader", "create", "--name", name(), stdout=out)
    key, address = out.getvalue().strip().split("=", 1)
    assert key == "READER_DATABASE_URL"
    return address


def created_by_migrate(monkeypatch: pytest.MonkeyPatch, var_dir: Path) -> str:
    """As `migrate` makes it for the embedded database, on whichever server the tests use, with this database's name."""
    monkeypatch.setattr(embedded, "DATABASE", connection.settings_dict["NAME"])
    monkeypatch.setattr(embedded_reader, "NAME", name())
    monkeypatch.setenv("PLUMBLINE_VAR", str(var_dir))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    embedded_login.create_or_renew(connection)
    server = connection.get_connection_params()
    where = {key: server[key] for key in ("dbname", "host", "port") if server.get(key)}
    return make_conninfo(**where, user=name(), password=embedded_reader.password(var_dir))


def test_a_reader_reads_the_views(reader: psycopg.Connection[Any]) -> None:
    assert reader.execute("SELECT current_user").fetchone() == (name(),)
    assert reader.execute("SELECT count(*) FROM results.v_association").fetchone() == (len(CELLS),)
    for view in ("v_measure", "v_run", "v_finding"):
        reader.execute(f"SELECT * FROM results.{view}")  # noqa: S608


def test_a_reader_reads_no_table_of_either_plane(reader: psycopg.Connection[Any]) -> None:
    for table in (
        "results.association",
        "results.term",
        "results.measure",
        "audits_run",
        "auth_user",
        "django_session",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            reader.execute(f"SELECT * FROM {table}")  # noqa: S608


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO results.term (text) VALUES ('x')",
        "DELETE FROM results.measure",
        "UPDATE results.v_measure SET value = 1",
        "DROP VIEW results.v_run",
        "CREATE TABLE results.mine (x int)",
        "CREATE TABLE public.mine (x int)",
        "CREATE TEMPORARY TABLE mine (x int)",
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "CREATE ROLE another",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT pg_cancel_backend(pg_backend_pid())",
        "SELECT pg_terminate_backend(pg_backend_pid())",
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_try_advisory_lock(1, 2)",
    ],
)
def test_a_reader_writes_nothing_even_when_it_lifts_read_only(reader: psycopg.Connection[Any], statement: str) -> None:
    reader.execute("SET default_transaction_read_only = off")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        reader.execute(statement)


def test_a_reader_is_read_only_and_limited_in_time_from_the_start(reader: psycopg.Connection[Any]) -> None:
    assert reader.execute("SHOW default_transaction_read_only").fetchone() == ("on",)
    assert reader.execute("SHOW statement_timeout").fetchone() == ("30s",)


def test_a_reader_fills_no_disk_and_cannot_lift_that(reader: psycopg.Connection[Any]) -> None:
    assert reader.execute("SHOW temp_file_limit").fetchone() == ("2GB",)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        reader.execute("SET temp_file_limit = -1")


def test_a_reader_cannot_become_the_owner(reader: psycopg.Connection[Any]) -> None:
    owner = connection.settings_dict["USER"]
    for statement in ("SET ROLE {}", "SET SESSION AUTHORIZATION {}"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            reader.execute(sql.SQL(statement).format(sql.Identifier(owner)))
    reader.execute("RESET ROLE")
    reader.execute("RESET SESSION AUTHORIZATION")
    assert reader.execute("SELECT current_user, session_user").fetchone() == (name(), name())


def test_a_migration_gives_the_reader_its_views_back(reader: psycopg.Connection[Any]) -> None:
    call_command("migrate", verbosity=0)
    assert reader.execute("SELECT count(*) FROM results.v_association").fetchone() == (len(CELLS),)


def test_a_migration_limits_the_readers_that_have_no_limits(reader: psycopg.Connection[Any]) -> None:
    role = sql.Identifier(name())
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("ALTER ROLE {} RESET temp_file_limit").format(role))
        cursor.execute("GRANT EXECUTE ON FUNCTION pg_advisory_lock(bigint) TO PUBLIC")
    grant_views(connection)
    assert kept() == "temp_file_limit=2GB"
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        reader.execute("SELECT pg_advisory_lock(1)")
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("ALTER ROLE {} SET temp_file_limit = '1GB'").format(role))
    grant_views(connection)
    assert kept() == "temp_file_limit=1GB"


def kept() -> str:
    """The limit that the reader's next login will have."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolconfig FROM pg_roles WHERE rolname = %s", [name()])
        (settings,) = cursor.fetchone()
    return next(str(setting) for setting in settings if setting.startswith("temp_file_limit"))


def test_a_name_that_is_taken_or_too_long_is_refused(reader: psycopg.Connection[Any]) -> None:
    with pytest.raises(InputError, match="--name"):
        create_reader(connection, name())
    with pytest.raises(InputError, match="63 bytes"):
        create_reader(connection, "x" * 64)


def test_the_command_ends_with_status_2_when_the_role_exists(reader: psycopg.Connection[Any]) -> None:
    err = StringIO()
    with pytest.raises(SystemExit) as caught:
        call_command("reader", "create", "--name", name(), stderr=err)
    assert caught.value.code == 2
    assert "already exists" in err.getvalue()


@pytest.mark.django_db
def test_without_a_reader_there_is_nothing_to_grant(load: Load) -> None:
    grant_views(connection)


@pytest.mark.django_db
def test_a_check_says_when_no_reader_is_configured(settings: Settings) -> None:
    def ids() -> set[str | None]:
        return {message.id for message in run_checks(include_deployment_checks=True)}

    settings.READER_DATABASE_URL = ""
    assert "results.W001" in ids()
    settings.READER_DATABASE_URL = "postgres://reader@somewhere/plumbline"
    assert "results.W001" not in ids()


def test_a_check_says_what_an_administrator_must_run(reader: psycopg.Connection[Any], settings: Settings) -> None:
    settings.READER_DATABASE_URL = "postgres://reader@somewhere/plumbline"
    with connection.cursor() as cursor:
        cursor.execute("GRANT EXECUTE ON FUNCTION pg_sleep(double precision) TO PUBLIC")
    (found,) = (one for one in run_checks(include_deployment_checks=True) if one.id == "results.W002")
    assert "execute 1 functions" in found.msg
    assert "reader statements | psql" in str(found.hint)
    out = StringIO()
    call_command("reader", "statements", stdout=out)
    assert "REVOKE EXECUTE ON FUNCTION pg_sleep(double precision) FROM PUBLIC;" in out.getvalue()
