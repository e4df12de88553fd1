"""The tables of messages, which the first processes of a new database create at the same time."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
import sqlalchemy as sa
from django.db import connection
from kombu.connection import Connection
from kombu.transport.sqlalchemy.models import ModelBase

from plumbline import broker

SCHEMA = "race_of_workers"
PATIENCE_SECONDS = 30
WAITS = sa.text("SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = :pid")


@pytest.fixture
def address(transactional_db: None) -> Iterator[str]:
    """A place without kombu's tables: a schema of its own, since a database takes longer to make."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA {SCHEMA}")
    ours = {"options": f"-csearch_path={SCHEMA}"}
    settings = connection.settings_dict
    yield broker.url(settings | {"OPTIONS": settings["OPTIONS"] | ours})
    with connection.cursor() as cursor:
        cursor.execute(f"DROP SCHEMA {SCHEMA} CASCADE")


@pytest.fixture
def engine(address: str) -> Iterator[sa.Engine]:
    """Without tables. kombu describes them only once a channel has been opened, so one is opened before."""
    with Connection(address) as carrier:  # type: ignore[no-untyped-call]
        carrier.default_channel.session.close()
    forget_engine()
    engine = sa.create_engine(address.removeprefix(f"{broker.SCHEME}+"))
    ModelBase.metadata.drop_all(engine)
    yield engine
    engine.dispose()


def test_two_workers_that_start_together_create_the_tables_once(engine: sa.Engine) -> None:
    with engine.connect() as first, engine.connect() as second, ThreadPoolExecutor(1) as thread:
        broker.create_tables(first)
        pid = second.connection.driver_connection.info.backend_pid  # type: ignore[union-attr]
        waiting = thread.submit(broker.create_tables, second)
        with engine.connect() as watcher:
            while not watcher.execute(WAITS, {"pid": pid}).scalar() and not waiting.done():
                watcher.rollback()
        assert not waiting.done(), "the second did not see that the first was creating the tables"
        first.commit()
        waiting.result(PATIENCE_SECONDS)
        second.commit()
    assert {"kombu_queue", "kombu_message"} <= set(sa.inspect(engine).get_table_names())


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 5433), ("/run/a folder", 5432), ("::1", ""), ("", "")])
def test_the_address_names_the_server_wherever_it_listens(host: str, port: int | str) -> None:
    made = broker.url({"USER": "anna", "PASSWORD": "a@b/c", "HOST": host, "PORT": port, "NAME": "plumbline"})
    place = sa.make_url(made.removeprefix(f"{broker.SCHEME}+"))
    _, named = place.get_dialect()().create_connect_args(place)
    parts = {"host", "port", "user", "password", "dbname"}
    there = {name: str(value) for name, value in named.items() if name in parts}
    asked = {"host": host, "port": str(port), "user": "anna", "password": "a@b/c", "dbname": "plumbline"}
    assert there == {name: value for name, value in asked.items() if value}


def test_a_connection_creates_missing_tables_and_carries_messages(address: str) -> None:
    with Connection(address) as carrier, closing(carrier.SimpleQueue("gpu")) as queue:  # type: ignore[no-untyped-call]
        queue.put("wake up")
        message = queue.get(timeout=PATIENCE_SECONDS)
        assert message.payload == "wake up"
        message.ack()
    forget_engine()


def forget_engine() -> None:
    """Close the connections of this schema, so that the next channel asks for its tables again."""
    ours = next(name for name in broker.Channel._engines if SCHEMA in name)
    broker.Channel._engines.pop(ours)[0].dispose()
