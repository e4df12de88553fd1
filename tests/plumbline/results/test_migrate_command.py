import threading
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from plumbline.results import schema
from plumbline.results.management.commands.migrate import LOCK_KEY
from tests.plumbline.results.conftest import CELLS, Load

ALL_VIEWS = ["v_association", "v_measure", "v_run"]


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


@pytest.mark.usefixtures("unmigrated")
def test_a_view_without_its_tables_is_left_out_and_told_and_comes_back() -> None:
    assert "v_run is left out" in migrate("audits", "zero")
    assert schema.existing_views(connection) == ["v_association", "v_measure"]
    migrate()
    assert schema.existing_views(connection) == ALL_VIEWS


@pytest.mark.usefixtures("unmigrated")
def test_check_and_plan_tell_of_the_results_plane_and_change_nothing() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA results CASCADE")
    assert "Results plane: to be upgraded to 0002" in migrate(plan=True)
    with pytest.raises(SystemExit):
        migrate(check_unapplied=True)
    assert schema.current_revision(connection) is None
    assert "Results plane: upgraded to 0002" in migrate()


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
