"""Celery's messages in the same PostgreSQL, for machines without Redis or RabbitMQ, by kombu's SQLAlchemy transport.

Messages are hints: losing one costs seconds. The changes here are for workers that run for months. A delivered message
is deleted (kombu keeps it forever, invisible). Two readers do not wait for each other. A broken connection is an error
from which Celery recovers. An idle worker receives messages at once.
"""

import os
import warnings
from queue import Empty
from typing import Any

import sqlalchemy as sa
from kombu.transport import TRANSPORT_ALIASES
from kombu.transport import sqlalchemy as kombu_sqlalchemy
from kombu.transport.sqlalchemy.models import ModelBase
from kombu.utils.json import loads
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError, PendingRollbackError, SQLAlchemyError
from sqlalchemy.orm import aliased, sessionmaker

SCHEME = "plumbline"
POLLING_SECONDS = 0.25
ANSWER_SECONDS = 4.0
"""The seconds to wait for a connection, Celery's default."""
TABLES_LOCK = 0x6B6F6D6275  # "kombu": processes that start together create the tables one after the other


def create_tables(connection: sa.Connection) -> None:
    """Create the tables of messages where they are missing, in the connection's transaction."""
    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(TABLES_LOCK)))
    ModelBase.metadata.create_all(connection)


class Channel(kombu_sqlalchemy.Channel):
    """A channel that takes a message out of its table in one statement."""

    def _open(self) -> Any:
        """Return the engine and the maker of sessions. The first call in a process creates missing tables."""
        address = self.connection.client.hostname
        with kombu_sqlalchemy._MUTEX:
            if address not in self._engines:
                engine = self._engine_from_config()  # type: ignore[no-untyped-call]
                with engine.begin() as connection:
                    create_tables(connection)
                self._engines[address] = engine, sessionmaker(bind=engine)
        return self._engines[address]

    def _get_or_create(self, queue: str) -> Any:
        """Return the queue's row, even if two processes create it at the same time."""
        known = sa.select(self.queue_cls).where(self.queue_cls.name == queue)
        if (found := self.session.scalars(known).first()) is None:
            self.session.execute(insert(self.queue_cls).values(name=queue).on_conflict_do_nothing())
            self.session.commit()
            found = self.session.scalars(known).one()
        return found

    def _get(self, queue: Any, timeout: Any = None) -> Any:
        message, waiting = self.message_cls, aliased(self.message_cls)
        first = (
            sa.select(waiting.id)
            .join(self.queue_cls, waiting.queue_id == self.queue_cls.id)
            .where(self.queue_cls.name == queue)
            .order_by(waiting.id)
            .limit(1)
            .with_for_update(skip_locked=True, of=waiting)
            .scalar_subquery()
        )
        try:
            payload = self.session.execute(
                sa.delete(message).where(message.id == first).returning(message.payload),
                execution_options={"synchronize_session": False},
            ).scalar()
            self.session.commit()
        except SQLAlchemyError:
            self.session.rollback()
            raise
        if payload is None:
            raise Empty
        return loads(payload)  # type: ignore[no-untyped-call]


class Transport(kombu_sqlalchemy.Transport):
    Channel = Channel
    polling_interval = POLLING_SECONDS
    connection_errors = (OperationalError, InterfaceError, PendingRollbackError, IntegrityError)  # type: ignore[assignment]

    def establish_connection(self) -> Any:
        """Connect to the server at once. A lazy connection would seem to work while the server is down."""
        made = super().establish_connection()  # type: ignore[no-untyped-call]
        session = made._avail_channels[-1].session
        try:
            session.execute(sa.text("SELECT 1"))
        finally:
            session.rollback()
        return made


def url(database: dict[str, Any]) -> str:
    """Return the broker's address for one of Django's DATABASES. Its host may be the folder of a socket."""
    server = {name: str(database[name.upper()]) for name in ("host", "port") if database[name.upper()]}
    place = sa.URL.create(
        "postgresql+psycopg",
        username=database["USER"] or None,
        password=database["PASSWORD"] or None,
        database=database["NAME"],
        query=server | {name: str(value) for name, value in database.get("OPTIONS", {}).items()},
    )
    return f"{SCHEME}+{place.render_as_string(hide_password=False)}"


def options(address: str) -> dict[str, Any]:
    """Return kombu's options for the transport of a broker."""
    if address.startswith(SCHEME):
        # An idle worker polls eight times a second, and new connections each time would load the server.
        return {"pool_size": 1, "pool_pre_ping": True}
    if address.startswith("redis"):
        # Without these, a launch would wait forever for a server that accepts connections but does not respond.
        return {"socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": ANSWER_SECONDS}
    return {}


def _leave_to_parent() -> None:
    """Drop inherited connections in a child process without closing the parent's."""
    for engine, _ in Channel._engines.values():
        engine.dispose(close=False)


os.register_at_fork(after_in_child=_leave_to_parent)
# kombu's tables use an option that SQLAlchemy will remove.
warnings.filterwarnings("ignore", "The ``noload`` loader strategy")
TRANSPORT_ALIASES[SCHEME] = f"{__name__}:Transport"
TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = "plumbline.redis_broker:Transport"
