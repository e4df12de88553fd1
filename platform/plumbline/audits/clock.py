"""The server's clock: the only one that leases and schedules go by, since a process's own may be off."""

from datetime import UTC, datetime

from django.db import connection
from django.db.models import DateTimeField, Func


class ClockTimestamp(Func):
    """PostgreSQL's clock_timestamp(): moves on inside of a transaction, unlike now()."""

    function = "clock_timestamp"
    template = "%(function)s()"
    output_field = DateTimeField()


def now() -> datetime:
    """What the server's clock shows, in UTC."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found.astimezone(UTC)
