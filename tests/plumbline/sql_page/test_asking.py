"""Questions, honest and hostile, asked for real."""

import threading
import time
from typing import Any

import psycopg
import pytest
from django.db import connection
from pytest_django import Settings

from plumbline.results.columns import VIEWS
from plumbline.sql_page import asking
from plumbline.sql_page.asking import Kind, ask, cancel, one_at_a_time
from plumbline.sql_page.catalogue import views
from plumbline.sql_page.faults import AskError

pytestmark = pytest.mark.usefixtures("reader")


def refused(text: str, **values: str) -> AskError:
    with pytest.raises(AskError) as caught:
        ask(text, values, "plumbline sql test")
    return caught.value


def asked(text: str, **values: str) -> list[asking.Row]:
    return ask(text, values, "plumbline sql test").rows


class TestAnswers:
    def test_values_are_as_postgresql_writes_them(self) -> None:
        rows = asked(
            "SELECT 1, 0.50::numeric, 'NaN'::float8, NULL, true, ARRAY['a'], 'infinity'::date, '10000-01-01'::date"
        )
        assert rows == [("1", "0.50", "NaN", None, "t", "{a}", "infinity", "10000-01-01")]

    def test_columns_have_names_types_and_kinds_though_no_row_is_there(self) -> None:
        answer = ask("SELECT run, name, planned_items FROM results.v_run", {}, "plumbline sql test")
        assert [(column.name, column.kind) for column in answer.columns] == [
            ("run", Kind.NUMBER),
            ("name", Kind.TEXT),
            ("planned_items", Kind.NUMBER),
        ]
        assert (answer.rows, answer.more) == ([], False)

    def test_only_the_first_rows_come_and_that_there_are_more_is_said(self) -> None:
        answer = ask("SELECT generate_series(1, 1000000000)", {}, "plumbline sql test", most=3)
        assert (answer.rows, answer.more) == ([("1",), ("2",), ("3",)], True)
        assert ask("VALUES (1), (2), (3)", {}, "plumbline sql test", most=3).more is False

    def test_parameters_are_values_and_never_text_of_the_question(self) -> None:
        quote = "'; DROP VIEW results.v_run; --"
        assert asked("SELECT :it, '%s', 5 % 2", it=quote) == [(quote, "%s", "1")]
        assert asked("SELECT :n::integer + 1", n="41") == [("42",)]

    @pytest.mark.parametrize(
        "text", ["EXPLAIN SELECT 1", "SHOW server_version", "TABLE results.v_run", "-- why\n(SELECT 1)"]
    )
    def test_whatever_asks_may_be_asked(self, text: str) -> None:
        asked(text)

    def test_any_number_of_comments_may_precede_a_query(self) -> None:
        assert asked("/**/" * 10_000 + "SELECT 1") == [("1",)]
        assert "begins with SELECT" in refused("/**/" * 10_000 + "x").message

    def test_the_views_and_all_their_columns_are_described(self) -> None:
        found = {view.name: view for view in views()}
        assert set(found) == {f"results.v_{name}" for name in VIEWS}
        for name, columns in VIEWS.items():
            view = found[f"results.v_{name}"]
            assert view.comment
            assert {column.name for column in view.columns} == set(columns)
            assert all(column.comment for column in view.columns)


class TestFaults:
    def test_a_typing_error_is_shown_at_its_place(self) -> None:
        fault = refused("SELECT :a,\n nowhere", a="x")
        assert fault.position == 13
        assert "nowhere" in fault.message

    def test_a_table_under_the_views_is_refused_with_what_may_be_read(self) -> None:
        assert "views results.v_*" in refused("SELECT * FROM results.association").hint

    def test_a_value_of_another_kind_is_the_servers_fault_in_words(self) -> None:
        assert "invalid input syntax" in refused("SELECT :n::integer", n="x").message.lower()

    def test_a_login_that_fails_says_what_to_look_at_and_no_password(self, settings: Settings) -> None:
        settings.READER_DATABASE_URL = "postgres://nobody:secret@127.0.0.1:1/nothing"
        fault = refused("SELECT 1")
        assert "READER_DATABASE_URL" in fault.hint
        assert "secret" not in fault.message + fault.hint

    def test_a_login_that_reads_more_than_the_views_is_not_used(self, settings: Settings) -> None:
        settings.READER_DATABASE_URL = owner_address()
        assert "more than the views" in refused("SELECT 1").message

    @pytest.mark.parametrize(
        "text",
        [
            "WITH gone AS (DELETE FROM results.v_measure RETURNING 1) SELECT * FROM gone",
            "WITH more AS (INSERT INTO results.v_measure (run) VALUES (1) RETURNING 1) SELECT * FROM more",
            "SELECT * INTO TEMPORARY mine FROM results.v_run",
            "SELECT * FROM results.v_run FOR UPDATE",
        ],
    )
    def test_a_query_that_would_write_is_told_so(self, text: str) -> None:
        fault = refused(text)
        assert fault.message == "The query changes data or locks rows, and this page only reads."
        assert "DELETE" in fault.hint

    def test_a_withheld_function_is_named_with_the_reason(self) -> None:
        fault = refused("SELECT set_config('work_mem', '6GB', false)")
        assert fault.message == "Readers may not execute the function set_config: it changes settings."

    def test_a_value_of_a_gigabyte_is_told_so(self) -> None:
        assert "larger than 1 GB" in refused("SELECT repeat(repeat('x', 1000000), 2000)").message


def owner_address() -> str:
    found = connection.get_connection_params()
    return psycopg.conninfo.make_conninfo(
        **{key: str(found[key]) for key in ("host", "port", "user", "password", "dbname") if found.get(key)}
    )


HOSTILE = [
    "SELECT 1; SELECT 2",
    "COMMIT; DROP VIEW results.v_run",
    "SET ROLE postgres",
    "RESET SESSION AUTHORIZATION",
    "SET statement_timeout = 0",
    "DO $$ BEGIN LOOP BEGIN PERFORM pg_sleep(9); EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; END $$",
    "/* /* */ SELECT */ DO $$ BEGIN PERFORM 1; END $$",
    "--\rDO $$ BEGIN PERFORM\n1; END $$",
    "--\rDO $$ DECLARE it int; BEGIN\nSELECT 1 INTO it; END $$",
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "COPY results.v_run TO STDOUT",
    "/* SELECT */ DROP VIEW results.v_run",
    "INSERT INTO results.term (text) VALUES ('x')",
    "WITH gone AS (DELETE FROM results.measure RETURNING 1) SELECT * FROM gone",
    "EXPLAIN ANALYZE DELETE FROM results.measure",
    "SELECT * INTO TEMPORARY mine FROM results.v_run",
    "SELECT password FROM auth_user",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_ls_dir('/')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_from_bytea(0, 'x')",
    "SELECT set_config('session_authorization', 'postgres', false)",
    "SELECT set_config('role', 'postgres', false)",
    "SELECT query_to_xml('DELETE FROM results.measure', true, true, '')",
    "SELECT rolpassword FROM pg_authid",
    "SELECT pg_reload_conf()",
    "SELECT nextval('results.term_id_seq')",
    "SELECT * FROM results.v_run FOR UPDATE",
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity",
    "SELECT pg_advisory_lock(4711)",
    "SELECT pg_try_advisory_xact_lock_shared(1, 2)",
    "SELECT set_config('statement_timeout', '0', false)",
    "WITH more AS (SELECT set_config('work_mem', '6GB', false)) SELECT * FROM more",
    "SELECT pg_logical_emit_message(false, 'x', repeat('x', 1000000)) FROM generate_series(1, 300)",
    "SELECT pg_sleep_for('1 hour')",
    "SELECT pg_notify('x', repeat('x', 7999)) FROM generate_series(1, 1000000)",
    "SELECT pg_export_snapshot()",
    "SELECT lo_unlink(1)",
    "SELECT lo_open(1, 131072)",
    "SELECT txid_current()",
    "SELECT query_to_xml('SELECT * FROM results.association', true, true, '')",
    "SELECT database_to_xml(true, true, '')",
    "SELECT * FROM ts_stat('SELECT ''a''::tsvector')",
    "SELECT pg_control_system()",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_statement_is_refused(text: str) -> None:
    fault = refused(text)
    assert fault.message
    assert "took more" not in fault.message
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('results.v_run') IS NOT NULL")
        assert cursor.fetchone() == (True,)


class TestLimits:
    @pytest.mark.parametrize(
        "text",
        [
            "SELECT pg_sleep(30)",
            "SELECT count(*) FROM generate_series(1, 1000000000)",
        ],
    )
    def test_what_takes_too_long_is_stopped(self, text: str, settings: Settings) -> None:
        settings.SQL_TIMEOUT = 0.5
        started = time.monotonic()
        assert "more than 0.5 s" in refused(text).message
        assert time.monotonic() - started < 25
        assert count(RUNNING) == 0

    @pytest.mark.parametrize(
        "text", ["SELECT repeat('x', 50000000)", "SELECT repeat('x', 100000) FROM generate_series(1, 999)"]
    )
    def test_an_answer_of_many_megabytes_is_not_taken(self, text: str) -> None:
        assert "too large" in refused(text).message

    @pytest.mark.parametrize(
        "text",
        [
            "SELECT repeat('x', 3000000)",
            "SELECT repeat('x', 3000) FROM generate_series(1, 999)",
            "SELECT repeat('x', 40000) FROM generate_series(1, 75)",
        ],
    )
    def test_an_answer_below_the_limit_is_taken_whole(self, text: str) -> None:
        assert sum(len(value or "") for (value,) in asked(text)) in range(2_990_000, 3_000_001)

    def test_only_what_was_taken_of_an_answer_counts(self) -> None:
        answer = ask("SELECT repeat('x', 900) FROM generate_series(1, 100000)", {}, "plumbline sql test")
        assert (len(answer.rows), answer.more) == (1_000, True)

    def test_a_file_is_taken_up_to_its_limit(self) -> None:
        assert self.taken(19_000_000) == 20_000
        with pytest.raises(AskError, match="too large"):
            self.taken(18_000_000)

    def taken(self, most_bytes: int) -> int:
        """Rows of 20,000 that came, each of 904 bytes with its length."""
        question = "SELECT repeat('x', 900) FROM generate_series(1, 20000)"
        with asking.rows(question, {}, "plumbline sql test", most_bytes=most_bytes) as (_, found):
            return len(list(found))

    def test_a_person_asks_one_question_at_a_time(self) -> None:
        other = connection.copy()
        try:
            with other.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_lock(%s, 7)", [asking.ONE_AT_A_TIME])
            with pytest.raises(AskError, match="still running"), one_at_a_time(7):
                pass
            with one_at_a_time(8):
                pass
            with other.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, 7)", [asking.ONE_AT_A_TIME])
            with one_at_a_time(7):
                pass
        finally:
            other.close()


RUNNING = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE application_name LIKE 'plumbline sql%' AND state = 'active' AND datname = current_database()"
)
"""In this test's own database: others ask on the same server at the same time."""
ASLEEP = f"{RUNNING} AND wait_event = 'PgSleep'"
"""One that is still being prepared is active as well, and goes on when it is cancelled between that and its start."""


def count(query: str) -> int:
    with connection.cursor() as cursor:
        # Within a transaction, as of a test, what it showed first would be shown again.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(query)
        (found,) = cursor.fetchone()
        return int(found)


def test_a_running_question_is_cancelled_by_its_label_and_no_other_is(settings: Settings) -> None:
    settings.SQL_TIMEOUT = 120
    faults: dict[str, Any] = {}

    def sleep(label: str) -> None:
        try:
            ask("SELECT pg_sleep(60)", {}, label)
        except AskError as fault:
            faults[label] = str(fault)

    labels = [f"plumbline sql {person} abc" for person in (1, 11)]
    threads = [threading.Thread(target=sleep, args=[label]) for label in labels]
    for thread in threads:
        thread.start()
    while count(ASLEEP) < 2:
        time.sleep(0.02)
    for thread, label in zip(threads, labels, strict=True):
        assert cancel(label) == 1
        thread.join()
        assert faults.pop(label) == "The query was cancelled."
        assert not faults
