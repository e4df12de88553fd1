"""Checks of the configuration of the results plane."""

import os
from typing import Any

from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004 - Django's name


@register(Tags.security, deploy=True)
def reader_is_configured(**_: Any) -> list[CheckMessage]:
    """Warn about a missing reader in `check --deploy`. Elsewhere a missing reader is no fault."""
    if os.environ.get("READER_DATABASE_URL"):
        return []
    return [
        Warning(
            "READER_DATABASE_URL is not set: the SQL page stays off.",
            hint="Run `python manage.py reader create` and add the printed line to the environment.",
            id="results.W001",
        )
    ]
