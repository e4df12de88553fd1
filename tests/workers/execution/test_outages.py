"""What tells a database that is away from a fault."""

import pytest
from django.db import connection
from django.db.utils import DataError, IntegrityError, InterfaceError, InternalError, OperationalError
from psycopg import errors

from workers.execution import outages


def caused(error: Exception, cause: Exception | None) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "error",
    [
        caused(OperationalError("server closed the connection unexpectedly"), None),
        caused(InterfaceError("the connection is closed"), None),
        caused(OperationalError("terminating connection"), errors.AdminShutdown()),
        caused(OperationalError("starting up"), errors.CannotConnectNow()),
        caused(OperationalError("deadlock detected"), errors.DeadlockDetected()),
        caused(OperationalError("too many clients"), errors.TooManyConnections()),
        caused(InternalError("idle-in-transaction timeout"), errors.IdleInTransactionSessionTimeout()),
    ],
)
def test_a_lost_connection_or_a_sacrificed_transaction_passes(error: OperationalError) -> None:
    assert outages.passes(error)


@pytest.mark.parametrize(
    "error",
    [
        caused(OperationalError("no space left"), errors.DiskFull()),
        caused(IntegrityError("duplicate key"), errors.UniqueViolation()),
        caused(DataError("out of range"), errors.NumericValueOutOfRange()),
        caused(DataError("no state"), None),
    ],
)
def test_a_full_disk_and_wrong_data_do_not(error: OperationalError) -> None:
    assert not outages.passes(error)


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_broke_while_the_server_is_there_is_no_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "ASK_EVERY_SECONDS", 0.01)
    connection.ensure_connection()
    connection.connection.close()
    assert outages.wait_until_over(patience=1.0) is False
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def test_patience_ends_with_the_error_of_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "ASK_EVERY_SECONDS", 0.01)

    def away() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(outages, "_ask", away)
    with pytest.raises(OperationalError, match="connection refused"):
        outages.wait_until_over(patience=0.05)
