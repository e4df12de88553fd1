"""Saving a draft as a plan, or as the new version of one."""

from django.db import transaction

from plumbline.audits.models import Plan
from plumbline.desk.plans.builder.drafts import Draft
from plumbline.spec.errors import InputError


@transaction.atomic
def save(draft: Draft, plan: Plan | None, version: str) -> Plan:
    """Return the saved plan. Raises InputError if somebody else saved another version after `version` was shown."""
    if plan is None:
        return Plan.objects.create(name=draft.name, description=draft.description, spec=draft.data)
    now = Plan.objects.select_for_update().get(pk=plan.pk)
    if now.modified_at.isoformat() != version:
        raise InputError(
            "somebody saved another version of this plan while you edited it. Save yours as a new plan, or open the"
            " plan in another tab and bring the two together."
        )
    now.name, now.description, now.spec = draft.name, draft.description, draft.data
    now.save(update_fields=["name", "description", "spec", "modified_at"])
    return now
