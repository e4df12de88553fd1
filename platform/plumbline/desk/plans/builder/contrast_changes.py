"""Which comparisons of groups an edited plan no longer makes, and how many findings of its runs rest on them."""

from typing import Any

from plumbline.audits.freezing import pin
from plumbline.audits.models import Plan
from plumbline.findings.models import Finding
from plumbline.findings.sentences import group_name
from plumbline.spec.association import AssociationSpec
from plumbline.spec.errors import InputError
from plumbline.spec.numbers import counted
from plumbline.spec.power.association import contrasts_of
from plumbline.spec.several_models import parse_each

MOST_NAMED = 3

Contrasts = dict[frozenset[str], str]
"""The contrasts of a spec: their two labels, and how a sentence names them."""


def contrast_change(plan: Plan, data: Any) -> str:
    """Return in sentences what an edited plan with runs no longer compares, or "" if it compares all that it did."""
    if not plan.runs.exists():
        return ""
    before, after = _contrasts(plan.spec), _contrasts(data)
    gone = {pair: name for pair, name in before.items() if pair not in after} if after else {}
    return " ".join(filter(None, [_gone(list(gone.values())), _findings(plan, gone)])) if gone else ""


def _contrasts(data: Any) -> Contrasts:
    """Return the contrasts of plain data, none for a spec that names what its lists do not have."""
    try:
        spec, snapshots = pin(parse_each(data)[0])
        if not isinstance(spec, AssociationSpec):
            return {}
        pairs = contrasts_of(spec, spec.materials(snapshots).groups)
    except InputError:
        return {}
    return {frozenset(pair): f"{pair[0]} with {group_name(pair[1])}" for pair in pairs}


def _gone(names: list[str]) -> str:
    more = f" and makes {len(names) - MOST_NAMED:,} more comparisons no longer" if len(names) > MOST_NAMED else ""
    return f"The new version no longer compares {', '.join(names[:MOST_NAMED])}{more}."


def _findings(plan: Plan, gone: Contrasts) -> str:
    sides = Finding.objects.filter(plan=plan).values_list("group_a", "group_b")
    lost = sum(frozenset(pair) in gone for pair in sides)
    if not lost:
        return "Save as another plan keeps this one as it is."
    return (
        f"{counted(lost, 'finding')} of its earlier runs will no longer be measured. Save as another plan keeps this"
        " one as it is."
    )
