"""Faults happen to servers and processes that were started here, never to others."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import environ
import pytest
from django.db import connection, connections
from pytest_django.plugin import DjangoDbBlocker

from plumbline import broker, embedded
from tests import migrated
from tests.faults.messages import sent_to
from tests.faults.site import Site
from tests.workers.execution.spec import ilps
from tests.workers.tiny import save_tiny_bert


@contextmanager
def pointed_at(var: Path) -> Iterator[None]:
    """Django's default database is that of this folder; every thread's connection reads the same dictionary."""
    there = environ.Env.db_url_config(embedded.database_url(var))
    options = connections.settings["default"]
    before = dict(options)
    connection.close()
    options.update({key: there[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")})
    try:
        yield
    finally:
        connection.close()
        options.update(before)


@pytest.fixture(scope="session")
def slow_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A masked model that takes some third of a second for a shard: long enough to be met in its work."""
    return save_tiny_bert(tmp_path_factory.mktemp("slow"), seed=0, hidden=384, layers=12)


@pytest.fixture(scope="session")
def spec(slow_model: Path) -> dict[str, Any]:
    """6,400 items in eight shards."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return ilps(
        slow_model,
        name="disturbed",
        attributes={"inline": [first + second for first in letters[:8] for second in letters[:10]]},
        templates={
            "inline": [f"All {{group.plural}} in {a}{b} are {{attribute}}." for a in "abcde" for b in "pqrstuvw"]
        },
    )


@pytest.fixture(scope="session")
def installation(spec: dict[str, Any]) -> Iterator[Site]:
    """A migrated embedded server of our own; Django's connection points to it while a test of this folder runs.

    Not in pytest's folder, which each session closes to others anew: the server runs as another user.
    """
    site = Site(Path(tempfile.mkdtemp(prefix="plumbline-site-")), spec)
    migrated.install(site.var)
    embedded.start(site.var)
    yield site
    embedded.stop(site.var)
    shutil.rmtree(site.var)


@pytest.fixture
def site(installation: Site, django_db_blocker: DjangoDbBlocker) -> Iterator[Site]:
    with django_db_blocker.unblock(), pointed_at(installation.var), sent_to(broker.url(connection.settings_dict)):
        yield installation
        installation.clear()


@pytest.fixture(scope="session")
def undisturbed(installation: Site, django_db_blocker: DjangoDbBlocker) -> str:
    """The digest of the records of a run that nothing happens to."""
    with django_db_blocker.unblock(), pointed_at(installation.var):
        run = installation.launch()
        installation.worker()
        assert installation.wait_for_end(run).state == "done", run.error
        digest = installation.digest(run)
        installation.clear()
        return digest
