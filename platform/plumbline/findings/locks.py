"""Locks on things that are no rows, such as the findings of a plan before there are any."""

from django.db import connection


def wait_for_others(what: str) -> None:
    """Let only one transaction at a time do what the text names. The lock ends with the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [what])
