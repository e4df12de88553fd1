"""Checks of the configuration of the results plane."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004 - Django's name
from django.db import Error, connection

from plumbline.results import fence

MOST_HINT = 600
SHOWN = 3
"""The statements that the hint names. `reader statements` prints all."""


@register(Tags.security, deploy=True)
def reader_is_configured(**_: Any) -> list[CheckMessage]:
    """Warn about a missing reader in `check --deploy`. Elsewhere a missing reader is no fault."""
    if settings.READER_DATABASE_URL:
        return []
    return [
        Warning(
            "READER_DATABASE_URL is not set: the SQL page stays off.",
            hint="Run `python manage.py reader create` and add the printed line to the environment.",
            id="results.W001",
        )
    ]


@register(Tags.security, deploy=True)
def reader_is_fenced(**_: Any) -> list[CheckMessage]:
    """Warn in `check --deploy` about rights of PUBLIC that let a reader write, wait, signal or leave its database."""
    if not settings.READER_DATABASE_URL:
        return []
    try:
        left, databases = fence.statements_left(connection), fence.open_databases(connection)
        functions = fence.open_functions(connection)
    except Error:
        return []  # Without a database there is nothing to say.
    if not left:
        return []
    return [
        Warning(
            f"Readers may enter {len(databases)} other databases of the server and execute {len(functions)} functions"
            " that write, wait, signal, read files or change settings.",
            hint="An administrator must run `python manage.py reader statements | psql DATABASE`, which begins: "
            + "; ".join(left[:SHOWN])[:MOST_HINT],
            id="results.W002",
        )
    ]
