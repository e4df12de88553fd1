"""A database of our own on the server under test, to which Django's connection points while it is looked at."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection, connections, transaction
from psycopg import sql

PREFIX = "plumbline_release_"
NAME = f"{PREFIX}{os.getpid()}"
"""Of this process alone: each of pytest-xdist's workers may load the release."""
LOCK_KEY = 0x72656C65617365  # "release"
SERVER = ("host", "port", "user", "password", "sslmode", "connect_timeout")


@contextmanager
def own_database(name: str) -> Iterator[None]:
    """An empty database, and none of it left at the end: nor its roles, which belong to the whole server."""
    with _alone() as server:
        _bury(server)
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(sql.Identifier(name)))
        guard = connect(name)
    try:
        yield
    finally:
        with _alone() as server:
            guard.close()
            _drop(server, name)


@contextmanager
def _alone() -> Iterator[psycopg.Connection[Any]]:
    """One process at a time makes or drops: the guard, a connection, is all by which others see a database in use."""
    with connect("postgres") as server:
        server.execute("SELECT pg_advisory_lock(%s)", [LOCK_KEY])
        yield server


def _bury(server: psycopg.Connection[Any]) -> None:
    """Drop what killed sessions left."""
    unused = server.execute(
        "SELECT datname FROM pg_database WHERE starts_with(datname, %s)"
        " AND datname NOT IN (SELECT datname FROM pg_stat_activity WHERE datname IS NOT NULL)",
        [PREFIX],
    )
    for (name,) in unused.fetchall():
        _drop(server, name)


def _drop(server: psycopg.Connection[Any], name: str) -> None:
    server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
    for role in ("analyst", "reader"):
        server.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(f"{name}_{role}")))


def connect(database: str) -> psycopg.Connection[Any]:
    """A connection of its own to a database of the server under test."""
    known = connections["default"].get_connection_params()
    server = {name: known[name] for name in SERVER if known.get(name)}
    return psycopg.connect(**server, dbname=database, autocommit=True)


@contextmanager
def pointed_at(name: str) -> Iterator[None]:
    """Django's default database is this one; every thread's connection reads the same dictionary."""
    options = connections.settings["default"]
    before = options["NAME"]
    connection.close()
    options["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        options["NAME"] = before


@contextmanager
def undone() -> Iterator[None]:
    """What happens in the body is gone at its end, so that no test finds what another one did."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)
