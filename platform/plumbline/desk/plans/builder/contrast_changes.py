"""Which comparisons of groups an edited plan no longer makes, and how many findings of its runs rest on them."""

from typing import Any

from plumbline.audits.freezing import pin
from plumbline.audits.models import Plan
from plumbline.desk.lost_contrasts import Contrasts, contrast_names, named
from plumbline.findings.models import Finding
from plumbline.spec.association import AssociationSpec
from plumbline.spec.errors import InputError
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.numbers import counted
from plumbline.spec.several_models import parse_each
from plumbline.spec.sources import groups_of

PAIRS = (
    "With three and more groups each one is compared with the mean of the others. To compare each pair, choose"
    " “pairs” at Contrasts, under More settings."
)


def contrast_change(plan: Plan, data: Any) -> str:
    """Return in sentences what an edited plan with runs no longer compares, or "" if it compares all that it did."""
    if not plan.runs.exists():
        return ""
    before, after = _contrasts(plan.spec), _contrasts(data)
    gone = {pair: name for pair, name in before.items() if pair not in after} if after else {}
    return " ".join(filter(None, [_gone(gone, after), _findings(plan, gone)])) if gone else ""


def _contrasts(data: Any) -> Contrasts:
    """Return the contrasts of plain data, none for a spec that names what its lists do not have."""
    try:
        spec, snapshots = pin(parse_each(data)[0])
        if not isinstance(spec, AssociationSpec):
            return {}
        return contrast_names(spec, groups_of(spec.groups, snapshots))
    except InputError:
        return {}


def _gone(gone: Contrasts, after: Contrasts) -> str:
    told = f"The new version no longer compares {named(gone.values())}, but {named(after.values())}."
    is_of_others = any(OTHER_GROUPS in pair for pair in after) and not any(OTHER_GROUPS in pair for pair in gone)
    return f"{told} {PAIRS}" if is_of_others else told


def _findings(plan: Plan, gone: Contrasts) -> str:
    sides = Finding.objects.filter(plan=plan).values_list("group_a", "group_b")
    lost = sum(frozenset(pair) in gone for pair in sides)
    if not lost:
        return "Save as another plan keeps this one as it is."
    return (
        f"{counted(lost, 'finding')} of its earlier runs will no longer be measured. Save as another plan keeps this"
        " one as it is."
    )
