"""Reasons to keep a run. Rooms above that rest on runs register a query each, such as that of sign-offs."""

from collections.abc import Callable

from plumbline.audits.models import Run

KEEPERS: list[Callable[[Run], str]] = []
"""Functions that return why a run must be kept, or ""."""


def reasons_to_keep(run: Run) -> list[str]:
    """Return why a run may not be deleted; empty if nothing rests on it."""
    return [reason for keeper in KEEPERS if (reason := keeper(run))]
