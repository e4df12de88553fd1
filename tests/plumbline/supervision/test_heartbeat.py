"""The probe of an orchestrator: does this host's process live?"""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Value
from psycopg.conninfo import make_conninfo

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import Role, WorkerProcess
from plumbline.audits.ownership import this_process
from plumbline.audits.presence import Presence
from plumbline.supervision.heartbeat import SILENT_SECONDS, main, silence

NOWHERE = "postgres://nobody@127.0.0.1:1/nothing"


def beat(seconds_ago: float, name: str = "", role: Role = Role.WORKER) -> None:
    named = name or this_process()
    Presence(named, role, ("gpu",), "cpu").tell()
    WorkerProcess.objects.filter(name=named).update(seen_at=ClockTimestamp() - Value(timedelta(seconds=seconds_ago)))


def silent(role: str) -> float | None:
    connection.ensure_connection()
    return silence(connection.connection, role)


@pytest.fixture
def address(transactional_db: None) -> str:
    return make_conninfo(
        **{
            name: value
            for name, value in connection.get_connection_params().items()
            if name in ("host", "port", "user", "password", "dbname")
        }
    )


@pytest.mark.django_db
def test_the_last_heartbeat_of_this_host_counts() -> None:
    beat(30)
    beat(5, this_process() + "0")
    seconds = silent("worker")
    assert seconds is not None
    assert 5 <= seconds < 30


@pytest.mark.django_db
@pytest.mark.parametrize(
    "other",
    [lambda: beat(0, "another-host/abcdef:1:2"), lambda: beat(0, role=Role.SCHEDULER), lambda: None],
    ids=["another host", "another role", "nobody"],
)
def test_another_process_proves_no_life(other: Callable[[], None]) -> None:
    other()
    assert silent("worker") is None


def test_a_process_that_hangs_is_told(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main("worker", address) == 1
    assert capsys.readouterr().err.endswith(" never wrote a heartbeat\n")
    beat(0)
    assert (main("worker", address), capsys.readouterr().err) == (0, "")
    beat(SILENT_SECONDS + 1)
    assert main("worker", address) == 1
    assert " wrote its last heartbeat 121 seconds ago\n" in capsys.readouterr().err


def test_a_database_that_is_away_is_no_fault_of_the_process(capsys: pytest.CaptureFixture[str]) -> None:
    assert main("worker", NOWHERE) == 0
    assert capsys.readouterr().err.startswith("the database gives no answer, so nothing is known: ")
