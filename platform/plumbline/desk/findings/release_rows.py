"""The releases of a model as its page shows them."""

from typing import Any

from plumbline.findings.models import SignOff
from plumbline.findings.sign_off.conditions import Checked
from plumbline.findings.sign_off.people import PERMISSION
from plumbline.findings.sign_off.releases import Release, checked_release, releases_of, standing_of_releases

Row = tuple[Release, SignOff | None, list[Checked], bool]


def release_rows(reference: str, person: Any) -> list[Row]:
    """Return the latest releases on which plans ran, each with its sign-off, or with what that needs."""
    found = releases_of(reference)
    signed = standing_of_releases(one.name for one in found) if found else {}
    return [_row(one, signed.get(one.name), person) for one in found]


def _row(one: Release, signed: SignOff | None, person: Any) -> Row:
    if signed is not None or not person.has_perm(PERMISSION):
        return one, signed, [], False
    conditions = checked_release(one, person)
    return one, None, conditions, all(checked.holds for checked in conditions)
