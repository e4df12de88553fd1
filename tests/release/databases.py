"""A database of our own on the server under test, to which Django's connection points while it is looked at."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection, connections, transaction
from psycopg import sql

NAME = f"plumbline_release_{os.getpid()}"
"""Of this process alone: each of pytest-xdist's workers may load the release."""
SERVER = ("host", "port", "user", "password", "sslmode", "connect_timeout")


@contextmanager
def own_database(name: str) -> Iterator[None]:
    """An empty database, and none of it left at the end: nor its roles, which belong to the whole server."""
    _drop(name)
    _execute("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'", name)
    try:
        yield
    finally:
        _drop(name)


def _drop(name: str) -> None:
    _execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
    for role in ("analyst", "reader"):
        _execute("DROP ROLE IF EXISTS {}", f"{name}_{role}")


def _execute(statement: str, name: str) -> None:
    with connect("postgres") as server:
        server.execute(sql.SQL(statement).format(sql.Identifier(name)))


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
