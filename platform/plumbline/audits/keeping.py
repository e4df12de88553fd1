"""Reasons to keep a run. Rooms above that rest on runs register a query each, such as that of sign-offs."""

from collections.abc import Callable

from django.db.models import Q

from plumbline.audits.models import Plan, Run
from plumbline.audits.states import LIVE

Keeper = Callable[[Run], str]

KEEPERS: list[Keeper] = []
"""Functions that return why a run must be kept, or ""."""
DATED_KEEPERS: list[Keeper] = []
"""Functions that return why a run is also kept when all runs before a date go. By itself it may still be deleted."""

PLAN_KEEPERS: list[Callable[[Plan], str]] = []
"""Functions that return why a plan may not be deleted, only archived, or ""."""


def reasons_to_keep_plan(plan: Plan) -> list[str]:
    return [reason for keeper in PLAN_KEEPERS if (reason := keeper(plan))]


def reasons_to_keep(run: Run) -> list[str]:
    """Return why a run may not be deleted; empty if nothing rests on it."""
    return [reason for keeper in KEEPERS if (reason := keeper(run))]


def reasons_to_keep_by_date(run: Run) -> list[str]:
    """Return why a run stays when all runs before a date are deleted; empty if it may go with them."""
    return [*_live(run), *reasons_to_keep(run), *(reason for keeper in DATED_KEEPERS if (reason := keeper(run)))]


def _live(run: Run) -> list[str]:
    """Return which work goes on: the run's own, or that of the small runs of its added words."""
    live = Run.objects.filter(Q(pk=run.pk) | Q(added_word__run=run.pk), state__in=LIVE).order_by("pk")
    return [f"run {one.pk} is {one.state}: wait for it or cancel it" for one in live]
