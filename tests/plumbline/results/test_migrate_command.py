import threading
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.template.defaultfilters import filesizeformat

from plumbline.audits.models import Role, Run
from plumbline.audits.ownership import this_process
from plumbline.audits.presence import Presence
from plumbline.audits.states import RunState
from plumbline.results import schema
from plumbline.results.management.commands import migrate as migrate_command
from plumbline.results.management.commands.migrate import LOCK_KEY
from plumbline.spec.errors import InputError
from tests.plumbline.results.conftest import CELLS, Load

ALL_VIEWS = sorted(path.stem for path in schema.VIEWS)


def migrate(*args: str, **options: object) -> str:
    out = StringIO()
    call_command("migrate", *args, stdout=out, stderr=out, verbosity=1, **options)
    return out.getvalue()


@pytest.mark.django_db
def test_migrating_again_changes_nothing_and_keeps_the_records(load: Load) -> None:
    load(1, CELLS)
    assert "No migrations to apply" in migrate()
    assert schema.existing_views(connection) == ALL_VIEWS
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM results.v_association")
        assert cursor.fetchone() == (len(CELLS),)


@pytest.mark.django_db
def test_views_come_back_after_the_migration_of_one_app() -> None:
    migrate("sessions")
    assert schema.existing_views(connection) == ALL_VIEWS


@pytest.fixture
def unmigrated(transactional_db: None) -> Iterator[None]:
    yield
    migrate()


@pytest.fixture
def hidden_runs(transactional_db: None) -> Iterator[None]:
    """The table of the runs has another name: the view that reads it cannot be made again."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE audits_run RENAME TO audits_run_hidden")
    yield
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE IF EXISTS audits_run_hidden RENAME TO audits_run")
    migrate()


def test_a_view_without_its_tables_is_left_out_reported_and_restored(hidden_runs: None) -> None:
    assert "v_run is left out" in migrate("sessions")
    assert schema.existing_views(connection) == [view for view in ALL_VIEWS if view != "v_run"]
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE audits_run_hidden RENAME TO audits_run")
    migrate()
    assert schema.existing_views(connection) == ALL_VIEWS


@pytest.mark.trial
@pytest.mark.usefixtures("unmigrated")
def test_all_migrations_of_the_audits_can_be_taken_back_and_applied_again() -> None:
    """Django builds all its models anew for most of them: 40 s of a core."""
    assert "v_run is left out" in migrate("audits", "zero")
    assert schema.existing_views(connection) == [view for view in ALL_VIEWS if view not in ("v_finding", "v_run")]
    migrate()
    assert schema.existing_views(connection) == ALL_VIEWS


@pytest.mark.usefixtures("unmigrated")
def test_check_and_plan_report_on_the_results_plane_and_change_nothing() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA results CASCADE")
    assert f"Results plane: to be upgraded to {schema.head_revision()}" in migrate(plan=True)
    with pytest.raises(SystemExit):
        migrate(check_unapplied=True)
    assert schema.current_revision(connection) is None
    assert f"Results plane: upgraded to {schema.head_revision()}" in migrate()


@pytest.fixture
def pending(transactional_db: None) -> Iterator[None]:
    """The results plane lacks its last revision; what that made stands."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE results.alembic_version SET version_num = '0001'")
    yield
    with connection.cursor() as cursor:
        cursor.execute("UPDATE results.alembic_version SET version_num = %s", [schema.head_revision()])


def alive(name: str, role: Role) -> None:
    there = Presence(name, role, ("gpu",))
    there.tell()


@pytest.mark.usefixtures("pending")
class TestBesideWorkers:
    def test_what_is_pending_is_refused_and_nothing_changes(self) -> None:
        alive("far:1:1", Role.WORKER)
        alive("far:2:1", Role.SCHEDULER)
        with pytest.raises(InputError, match=r"2 of our processes are alive \(far:1:1, far:2:1\)\. Stop"):
            migrate()
        assert schema.current_revision(connection) == "0001"
        assert schema.existing_views(connection) == ALL_VIEWS

    def test_a_run_that_a_command_executes_is_not_disturbed_either(self) -> None:
        Run.objects.create(name="own", probe="ilps", model="m", spec={}, state=RunState.RUNNING, owner=this_process())
        with pytest.raises(InputError, match="1 of our processes is alive"):
            migrate()
        assert schema.existing_views(connection) == ALL_VIEWS

    def test_a_run_whose_process_is_gone_blocks_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(schema, "upgrade", lambda _: False)
        gone = f"{this_process().split(':')[0]}:999999999:1"
        Run.objects.create(name="own", probe="ilps", model="m", spec={}, state=RunState.RUNNING, owner=gone)
        migrate()

    def test_by_choice_it_goes_on(self, monkeypatch: pytest.MonkeyPatch) -> None:
        upgraded: list[bool] = []
        monkeypatch.setattr(schema, "upgrade", lambda _: upgraded.append(True))
        alive("far:1:1", Role.WORKER)
        migrate(with_workers=True)
        assert upgraded == [True]

    def test_a_killed_worker_of_this_machine_does_not_block_a_migration(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(schema, "upgrade", lambda _: False)
        host = this_process().split(":")[0]
        alive(f"{host}:999999999:1", Role.WORKER)
        migrate()

    def test_the_size_of_the_records_is_reported_before_a_migration(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(schema, "upgrade", lambda _: False)
        assert "of records" not in migrate()
        monkeypatch.setattr(migrate_command, "TOLD_FROM", 1)
        said = migrate()
        assert f"Results plane: 0001 to {schema.head_revision()} on" in said
        # What tests before this one left decides how much that is.
        assert f" {filesizeformat(schema.records_size(connection))} of records and indexes" in said


@pytest.mark.django_db
def test_with_nothing_to_do_workers_are_left_in_peace() -> None:
    alive("far:1:1", Role.WORKER)
    assert "No migrations to apply" in migrate()


@pytest.mark.django_db(transaction=True)
def test_with_nothing_to_do_no_view_is_missing_for_a_moment() -> None:
    missed: list[list[str]] = []
    stop = threading.Event()
    looker = threading.Thread(target=_watch, args=(missed, stop))
    looker.start()
    try:
        for _ in range(3):
            migrate()
    finally:
        stop.set()
        looker.join()
    assert missed == []


def _watch(missed: list[list[str]], stop: threading.Event) -> None:
    while not stop.is_set():
        if (there := schema.existing_views(connection)) != ALL_VIEWS:
            missed.append(there)
    connection.close()


@pytest.mark.django_db
def test_a_view_whose_columns_differ_from_ours_becomes_ours() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP VIEW results.v_run")
        cursor.execute("CREATE VIEW results.v_run AS SELECT 1 AS other")
        migrate()
        cursor.execute("SELECT count(*) FROM information_schema.columns WHERE table_name = 'v_run'")
        assert cursor.fetchone()[0] > 1
    assert schema.existing_views(connection) == ALL_VIEWS


@pytest.mark.django_db
def test_check_is_content_when_all_is_applied() -> None:
    migrate(check_unapplied=True)


@pytest.mark.django_db(transaction=True)
def test_a_second_migration_waits_for_the_first() -> None:
    holder = connection.copy()
    with holder.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK_KEY])
        second = threading.Thread(target=_migrate_and_close)
        second.start()
        second.join(0.7)
        assert second.is_alive()
        assert schema.existing_views(connection) == ALL_VIEWS
        cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK_KEY])
    second.join(60)
    holder.close()
    assert not second.is_alive()
    assert schema.existing_views(connection) == ALL_VIEWS


def _migrate_and_close() -> None:
    migrate()
    connection.close()
