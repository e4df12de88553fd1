"""The data of earlier releases, loaded from their dumps into a database of our own and migrated to this one."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from pytest_django import Settings
from pytest_django.plugin import DjangoDbBlocker

from plumbline.results.reader_role import create_reader
from tests.release import databases
from tests.release.loading import load

As = Callable[[str], Client]
DATA = Path(__file__).parent / "data"
PLANTED = [
    ("relative_difference", "", "not told from 0 once names are matched or adjusted", "matched, adjusted"),
    ("success_rate_difference", "", "not told from 0 once names are adjusted", "adjusted"),
    ("success_rate_difference", "matched", "vanishes: not told from 0 any more; 20 pairs of names", "matched"),
    ("success_rate_difference", "adjusted", "subword count regressed out", ""),
]
"""Of each measure: statistic, condition and reason; and the confounds that it must have after migrating."""
BACKEND = "django.contrib.auth.backends.ModelBackend"


@dataclass(frozen=True)
class Release:
    """An earlier release: the commit that made its data, and what must be found in them."""

    commit: str
    expected: dict[str, Any]

    @property
    def database(self) -> str:
        return f"{databases.NAME}_{self.commit}"

    def probe_of(self, run: int) -> str:
        return str(self.expected["runs"][str(run)]["probe"])


def _releases() -> list[Release]:
    return [Release(path.stem.removeprefix("release-"), json.loads(path.read_text())) for path in DATA.glob("*.json")]


RELEASES = sorted(_releases(), key=lambda one: one.commit)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test of a release is one of each; with `number`, of each of its runs.

    With `plan` and `probe` it is one of each of its plans that was run.
    """
    if "number" in metafunc.fixturenames:
        _cases(metafunc, ("migrated", "number"), [(one, number) for one in RELEASES for number in one.expected["runs"]])
    elif "plan" in metafunc.fixturenames:
        plans = [(one, plan, one.probe_of(run)) for one in RELEASES for plan, run in one.expected["plans"].items()]
        _cases(metafunc, ("migrated", "plan", "probe"), plans)
    elif "migrated" in metafunc.fixturenames:
        metafunc.parametrize("migrated", RELEASES, ids=[one.commit for one in RELEASES], indirect=True, scope="session")


def _cases(metafunc: pytest.Metafunc, names: tuple[str, ...], cases: Sequence[tuple[Any, ...]]) -> None:
    ids = [f"{case[0].commit}-{case[1]}" for case in cases]
    metafunc.parametrize(names, cases, ids=ids, indirect=["migrated"], scope="session")


@pytest.fixture(scope="session")
def migrated(request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker) -> Iterator[Release]:
    """The release's database, as `manage.py migrate` of this code leaves it."""
    release: Release = request.param
    with django_db_blocker.unblock(), databases.own_database(release.database):
        with databases.connect(release.database) as empty:
            load(empty, DATA / f"release-{release.commit}.sql.xz")
            _plant(empty)
        with databases.pointed_at(release.database):
            call_command("migrate", verbosity=0)
        yield release


def _plant(database: psycopg.Connection[Any]) -> None:
    """Measures of no run, with what the release said of confounds: none of its own runs had such a finding."""
    with database.transaction(), database.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO results.measure (run, statistic, condition, reason, value, n) VALUES (0, %s, %s, %s, 0.5, 4)",
            [planted[:3] for planted in PLANTED],
        )


@pytest.fixture
def release(
    migrated: Release, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Release]:
    """Django looks at the release's database while a test runs; what the test does there is undone.

    Corpora that its plans name lie in the project, from whose folder they were launched.
    """
    monkeypatch.chdir(django_settings.BASE_DIR)
    with django_db_blocker.unblock(), databases.pointed_at(migrated.database), databases.undone():
        yield migrated


@pytest.fixture
def as_(release: Release) -> As:
    """as_("cleo"): the browser of a person of the release, logged in."""

    def browser(name: str) -> Client:
        client = Client()
        client.force_login(User.objects.get(username=name), backend=BACKEND)
        return client

    return browser


@pytest.fixture(scope="session")
def reader_address(migrated: Release, django_db_blocker: DjangoDbBlocker) -> str:
    """The login that reads the views, as an operator makes it; it goes with the database."""
    with django_db_blocker.unblock(), databases.pointed_at(migrated.database):
        return create_reader(connection)


@pytest.fixture
def reader(release: Release, reader_address: str, settings: Settings) -> str:
    settings.READER_DATABASE_URL = reader_address
    return reader_address
