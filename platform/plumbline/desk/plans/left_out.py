"""Adding entries of a list that a plan leaves out."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from plumbline.audits.freezing import KIND_OF_FIELD
from plumbline.audits.models import Plan
from plumbline.desk.lost_contrasts import named
from plumbline.desk.plans.contents import entry_name, plan_lists
from plumbline.desk.plans.kept_contrasts import contrasts_in, keeping_contrasts
from plumbline.spec.errors import InputError, shown
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.several_models import parse_each
from plumbline.vocab import content
from plumbline.vocab.models.recorded import EVENTS

OTHERS = "Each group is compared with the mean of the others. That mean then includes the new group."


@transaction.atomic
def add_entry(number: int, field: str, slug: str, entry: str) -> str:
    """Add an entry to the `only` of each source of a plan that names this list, and return the effect in a sentence.

    A plan that would no longer compare the groups that it compared then compares each pair of groups. Raises
    InputError if no source lacks the entry.
    """
    plan = Plan.objects.select_for_update().get(pk=number)
    if field not in KIND_OF_FIELD:
        raise InputError(f"a plan has no lists under {shown(field)}.")
    known = [entry_name(one) for one in content.frozen(KIND_OF_FIELD[field], slug)["entries"]]
    if entry not in known:
        raise InputError(f"the list {slug!r} has no entry {shown(entry)} any more.")
    changed = with_entry(plan.spec, field, slug, entry)
    if changed == plan.spec:
        raise InputError(f"{plan.name} leaves {shown(entry)} out no more.")
    parse_each(changed)
    effect = effect_of_adding(plan.spec, field, slug, entry)
    plan.spec = keeping_contrasts(plan.spec, changed)
    plan.save(update_fields=["spec", "modified_at"])
    return effect


def new_entries_left_out(plan: Plan) -> list[str]:
    """Return a sentence about each list that got entries after the plan was saved which it leaves out.

    What the plan left out from the start, somebody chose.
    """
    found = []
    for one in plan_lists(parse_each(plan.spec)[0]):
        added = _added_since(KIND_OF_FIELD[one.field], one.slug, plan.modified_at) if one.left_out else set()
        if new := [name for name in one.left_out if name in added]:
            found.append(f"Since this plan was saved, the list {one.slug} has {named(new)}: this plan leaves that out.")
    return found


def _added_since(kind: str, slug: str, when: datetime) -> set[str]:
    """Return the names of the entries that a list got after a time."""
    rows = {row.pk: row for row in content.find(kind, slug).rows()}
    events = EVENTS[type(next(iter(rows.values())))].objects.filter(pgh_label="insert", pgh_created_at__gt=when)
    added = events.filter(pgh_obj__in=rows).values_list("pgh_obj", flat=True)
    return {entry_name(one) for pk in added for one in rows[pk].contents()}


def effect_of_adding(data: Any, field: str, slug: str, entry: str) -> str:
    """Return in a sentence how the comparisons of a plan change if it asks one more entry of this list, or ""."""
    before = contrasts_in(data) if KIND_OF_FIELD[field] == "groups" else {}
    if not before:
        return ""
    changed = with_entry(data, field, slug, entry)
    if keeping_contrasts(data, changed) is not changed:
        return f"The plan then compares each pair of groups, so that it still compares {named(before.values())}."
    return OTHERS if any(OTHER_GROUPS in pair for pair in before) else ""


def with_entry(data: Any, field: str, slug: str, entry: str) -> Any:
    """Return plain data of a spec with the entry in each `only` of that list under that field, nested parts too."""
    if isinstance(data, Mapping):
        return {
            key: _with_entry(value, slug, entry) if key == field else with_entry(value, field, slug, entry)
            for key, value in data.items()
        }
    return [with_entry(one, field, slug, entry) for one in data] if isinstance(data, list) else data


def _with_entry(sources: Any, slug: str, entry: str) -> Any:
    if isinstance(sources, list):
        return [_with_entry(one, slug, entry) for one in sources]
    if not isinstance(sources, Mapping) or slug not in (sources.get("list"), sources.get("bank")):
        return sources
    only = sources.get("only")
    return {**sources, "only": [*only, entry]} if only and entry not in only else sources
