"""What a reader may execute on the running server: only functions that somebody judged harmless."""

import re
from typing import Any

import psycopg
import pytest
from django.db import connection

from plumbline.results import fence
from plumbline.results.withheld_functions import CALLABLE, PATTERN, WITHHELD, judged
from tests.plumbline.results.test_reader_role import reader

__all__ = ["reader"]

OF_A_READER = "has_function_privilege(oid, 'EXECUTE') AND has_schema_privilege(pronamespace, 'USAGE')"
EXECUTABLE = " ".join(("SELECT DISTINCT proname FROM pg_proc WHERE", OF_A_READER, "AND", CALLABLE))


def test_every_function_that_a_reader_may_execute_was_judged(reader: psycopg.Connection[Any]) -> None:
    """Judge a new one: withhold it if it writes, signals, waits, reads files or changes settings, else list it."""
    executable = {name for (name,) in reader.execute(EXECUTABLE)}
    assert len(executable) > 1500
    assert sorted(executable - judged()) == []


def test_no_withheld_function_is_left_to_public(reader: psycopg.Connection[Any]) -> None:
    assert not fence.open_functions(connection)
    assert not [name for name in judged() if re.match(PATTERN, name)]


def test_every_reason_withholds_a_function_of_this_server(reader: psycopg.Connection[Any]) -> None:
    names = {name for (name,) in reader.execute("SELECT DISTINCT proname FROM pg_proc")}
    for patterns in WITHHELD.values():
        assert any(re.fullmatch(pattern, name) for pattern in patterns for name in names)


def test_a_reader_writes_no_log_of_transactions(reader: psycopg.Connection[Any]) -> None:
    """300 MB in 1.5 s, before."""
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="pg_logical_emit_message"):
        reader.execute("SELECT pg_logical_emit_message(false, 'x', repeat('x', 1000000)) FROM generate_series(1, 300)")


def test_a_reader_has_few_connections_and_small_settings(reader: psycopg.Connection[Any]) -> None:
    assert reader.execute("SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user").fetchone() == (10,)
    assert reader.execute("SHOW work_mem").fetchone() == ("16MB",)


def test_functions_that_are_open_again_are_left_to_an_administrator_as_one_statement(
    reader: psycopg.Connection[Any],
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("GRANT EXECUTE ON FUNCTION pg_sleep, set_config TO PUBLIC")
        left = [one for one in fence.statements_left(connection) if "FUNCTION" in one]
        opened = "pg_sleep(double precision), set_config(text,text,boolean)"
        assert left[-1] == f"REVOKE EXECUTE ON FUNCTION {opened} FROM PUBLIC"
        for statement in left:
            cursor.execute(statement)
    assert not fence.open_functions(connection)
