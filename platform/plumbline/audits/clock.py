"""The server's clock: the only one that leases go by, since a worker's own may be off."""

from django.db.models import DateTimeField, Func


class ClockTimestamp(Func):
    """PostgreSQL's clock_timestamp(): moves on inside of a transaction, unlike now()."""

    function = "clock_timestamp"
    template = "%(function)s()"
    output_field = DateTimeField()
