"""The database server's clock. Leases and schedules use only this clock, since clocks of other machines may be off."""

from datetime import UTC, datetime

from django.db import connection
from django.db.models import DateTimeField, Func


class ClockTimestamp(Func):
    """PostgreSQL's clock_timestamp(). Unlike now(), it advances within a transaction."""

    function = "clock_timestamp"
    template = "%(function)s()"
    output_field = DateTimeField()


def now() -> datetime:
    """Return the time of the server's clock in UTC."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found.astimezone(UTC)
