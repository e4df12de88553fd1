"""Indexes built beside others' work, on partitioned tables too."""

from collections.abc import Callable, Iterator
from functools import partial
from threading import Thread

import pytest
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from django.core.management import call_command
from django.db import connection, transaction

from plumbline.results import partitions, schema
from plumbline.results.indexing import build_index
from plumbline.results.management.commands.migrate import LOCK_POLL, _alone

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("empty_results")]
NAME = "association_probe_ix"
BUILD: tuple[str, str, str, str] = (NAME, "association", 'probe, "group"', "scorable")


def ask(statement: str, *values: str) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall()) if cursor.description else []


@pytest.fixture(autouse=True)
def partitioned() -> Iterator[None]:
    """Two runs with partitions of their own beside the default one."""
    for run in (901, 902):
        partitions.prepare(run, {"association": partitions.OWN_PARTITION_FROM})
    yield
    ask(f"DROP INDEX IF EXISTS results.{NAME}, results.measure_n_ix")
    for run in (901, 902, 903):
        partitions.forget(run)


def in_a_revision(build: Callable[[], None]) -> None:
    """As migrations/env.py runs a revision: in a transaction of its own."""
    with schema.own_connection(connection) as own:
        context = MigrationContext.configure(own, opts={"transaction_per_migration": True})
        with Operations.context(context), context.begin_transaction(_per_migration=True):
            build()


def build() -> None:
    in_a_revision(lambda: build_index(*BUILD))


def built() -> dict[object, object]:
    """Whether the index is valid, by table."""
    found = ask(
        "SELECT indrelid::regclass::text, indisvalid FROM pg_index LEFT JOIN pg_inherits ON inhrelid = indexrelid"
        " WHERE to_regclass(%s) IN (indexrelid, inhparent)",
        f"results.{NAME}",
    )
    return {str(table).removeprefix("results."): valid for table, valid in found}


ALL = dict.fromkeys(("association", "association_default", "association_run_901", "association_run_902"), True)


def test_each_partition_gets_its_index_and_a_later_one_too() -> None:
    build()
    assert built() == ALL
    partitions.prepare(903, {"association": partitions.OWN_PARTITION_FROM})
    assert built() == ALL | {"association_run_903": True}


def test_a_name_that_would_be_too_long_for_a_partition_is_shortened_to_one_of_its_own() -> None:
    long, other = ("association_" + "x" * 40 + end for end in ("_a", "_b"))
    for name in (long, other):
        in_a_revision(partial(build_index, name, "association", "probe"))
    names = ask(
        "SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid"
        " WHERE inhparent IN (to_regclass(%s), to_regclass(%s))",
        f"results.{long}",
        f"results.{other}",
    )
    ask(f"DROP INDEX results.{long}, results.{other}")
    assert len(names) == len(set(names)) == 6


def test_a_second_time_changes_nothing() -> None:
    build()
    before = ask(f"SELECT 'results.{NAME}'::regclass::oid")
    build()
    assert ask(f"SELECT 'results.{NAME}'::regclass::oid") == before


def test_after_a_failure_it_goes_on_where_it_stopped() -> None:
    """The parent's index stands, one partition has its own, and another's was left half-built."""
    ask(f'CREATE INDEX {NAME} ON ONLY results.association (probe, "group") WHERE scorable')
    half = f"association_run_901_{NAME}"
    ask(f'CREATE INDEX {half} ON results.association_run_901 (probe, "group") WHERE scorable')
    ask("UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass(%s)", f"results.{half}")
    build()
    assert built() == ALL


def test_a_plain_table_is_served_too() -> None:
    in_a_revision(lambda: build_index("measure_n_ix", "measure", "n"))
    assert ask("SELECT indisvalid FROM pg_index WHERE indexrelid = 'results.measure_n_ix'::regclass") == [(True,)]


def test_nobody_who_writes_is_kept_waiting() -> None:
    """The build waits for a writer that was there before; a second one, meanwhile, does not wait for the build."""
    with transaction.atomic():
        ask("LOCK TABLE results.association_run_901 IN ROW EXCLUSIVE MODE")
        building = Thread(target=build)
        building.start()
        building.join(1.0)
        assert building.is_alive()
        writer = connection.copy()
        with writer.cursor() as cursor:
            cursor.execute("SET lock_timeout = '2s'")
            cursor.execute("DELETE FROM results.association WHERE run = 901")
        writer.close()
    building.join(30)
    assert built() == ALL


def test_a_second_migration_that_waits_for_its_turn_does_not_keep_the_build_waiting() -> None:
    second, building = Thread(target=migrate), Thread(target=build)
    with _alone(connection):
        second.start()
        second.join(3 * LOCK_POLL)
        assert second.is_alive()
        building.start()
        building.join(30)
        is_built_meanwhile = not building.is_alive()
    for thread in (building, second):
        thread.join(60)
    assert is_built_meanwhile
    assert built() == ALL


def migrate() -> None:
    call_command("migrate", verbosity=0)
    connection.close()
