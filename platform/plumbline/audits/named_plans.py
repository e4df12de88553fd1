"""Plans by their names, as commands give them."""

from difflib import get_close_matches

from plumbline.audits.models import Plan
from plumbline.spec.errors import InputError


def plan_named(name: str) -> Plan:
    """Return the plan. Raises InputError, with the nearest name, for an unknown one."""
    if found := Plan.objects.filter(name=name).first():
        return found
    names = list(Plan.objects.values_list("name", flat=True))
    near = get_close_matches(name, names, n=1) or names[:1]
    hint = f"did you mean {near[0]!r}?" if near else "create one in the admin or with 'plans starter'."
    raise InputError(f"there is no plan {name!r}; {hint}")
