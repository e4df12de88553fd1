"""The login of the SQL page is made on the embedded server alone."""

import pytest
from django.db import connection

from plumbline import embedded, embedded_reader
from plumbline.results import embedded_login, fence, reader_role

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def of_this_database(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """The names of the embedded database are those of the tests' own. Others use the server of the tests."""
    monkeypatch.setattr(embedded, "DATABASE", connection.settings_dict["NAME"])
    monkeypatch.setattr(embedded_reader, "NAME", f"{connection.settings_dict['NAME']}_sql_page")
    monkeypatch.setattr(fence, "MAINTENANCE", ())
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    monkeypatch.delenv("DATABASE_URL", raising=False)


def test_a_server_of_the_operators_own_gets_no_login_even_for_a_database_of_the_same_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://plumbline@db.example.org/plumbline")
    embedded_login.create_or_renew(connection)
    assert not reader_role.role_exists(connection, embedded_reader.NAME)


def test_a_second_migration_keeps_the_login() -> None:
    for _ in range(2):
        embedded_login.create_or_renew(connection)
        assert reader_role.role_exists(connection, embedded_reader.NAME)
