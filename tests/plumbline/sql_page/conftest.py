"""A reader for real: the login that the command makes, on the server of the tests."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from django.test import Client
from psycopg import sql
from pytest_django import DjangoDbBlocker, Settings

from plumbline.results.reader_role import create_reader, group_role


def drop(name: str) -> None:
    """Roles belong to the whole server, so one of an interrupted session may be there still."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
        if cursor.fetchone():
            cursor.execute(sql.SQL("DROP OWNED BY {role}; DROP ROLE {role}").format(role=sql.Identifier(name)))


@pytest.fixture(scope="module")
def address(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    with django_db_blocker.unblock():
        name = f"{group_role(connection)}_page"
        drop(name)
        found = create_reader(connection, name)
        with connection.cursor() as cursor:  # withheld, but the quickest query that lasts
            cursor.execute(sql.SQL("GRANT EXECUTE ON FUNCTION pg_sleep TO {}").format(sql.Identifier(name)))
    yield found
    with django_db_blocker.unblock():
        drop(name)


@pytest.fixture
def reader(db: None, address: str, settings: Settings) -> str:
    settings.READER_DATABASE_URL = address
    return address


def person(name: str, *roles: str) -> Client:
    """Logged in."""
    user = User.objects.create_user(name)
    user.groups.set(Group.objects.filter(name__in=roles))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def viewer(reader: str) -> Client:
    return person("vera", "viewer")
