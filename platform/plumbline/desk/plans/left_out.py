"""Adding entries of a list that a plan leaves out."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from plumbline.audits.freezing import KIND_OF_FIELD
from plumbline.audits.models import Plan
from plumbline.desk.plans.contents import entry_name
from plumbline.spec.errors import InputError, shown
from plumbline.spec.several_models import parse_each
from plumbline.vocab import content


@transaction.atomic
def add_entry(number: int, field: str, slug: str, entry: str) -> None:
    """Add an entry to the `only` of each source of a plan that names this list. Raises InputError if none lacks it."""
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
    plan.spec = changed
    plan.save(update_fields=["spec", "modified_at"])


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
