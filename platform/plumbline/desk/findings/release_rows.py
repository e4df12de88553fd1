"""The releases of a model as its page shows them."""

from typing import Any

from django.contrib.auth.models import AnonymousUser, User

from plumbline.findings.models import SignOff
from plumbline.findings.sign_off.conditions import Checked
from plumbline.findings.sign_off.releases import Release, checked_release, releases_of, standing_of_release

MOST_SHOWN = 5


def release_rows(
    reference: str, person: User | AnonymousUser | Any
) -> list[tuple[Release, SignOff | None, list[Checked], bool]]:
    """Return the latest releases on which plans ran, each with its sign-off, or with what that needs."""
    planned = [one for one in releases_of(reference) if any(run.plan_id for run in one.runs)]
    return [_row(one, person) for one in planned[:MOST_SHOWN]]


def _row(one: Release, person: Any) -> tuple[Release, SignOff | None, list[Checked], bool]:
    signed = standing_of_release(one.name)
    conditions = [] if signed else checked_release(one, person)
    return one, signed, conditions, bool(conditions) and all(checked.holds for checked in conditions)
