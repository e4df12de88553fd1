"""The stored rules of sign-offs: which conditions an installation asks for."""

from typing import Any

from plumbline.findings.models import Condition, SignOffRule

ASKED_FOR = frozenset({Condition.JUDGED, Condition.NO_DISSENT, Condition.NO_CONCERN})
"""The conditions that a new installation asks for."""


def rules() -> list[SignOffRule]:
    """Return a rule for each condition: the stored one, or the default before it is stored."""
    stored = {one.condition: one for one in SignOffRule.objects.all()}
    return [stored.get(one) or _default(one) for one in Condition]


def store_defaults(apps: Any = None, **_: Any) -> None:
    """Store the rules that are missing, so that an admin can change them. Stored ones stay as they are.

    `apps` has the models after a migration. One that goes back has no table for the rules.
    """
    if apps is not None and "signoffrule" not in apps.all_models["findings"]:
        return
    SignOffRule.objects.bulk_create(map(_default, Condition), ignore_conflicts=True)


def _default(one: Condition) -> SignOffRule:
    return SignOffRule(condition=one, is_active=one in ASKED_FOR)
