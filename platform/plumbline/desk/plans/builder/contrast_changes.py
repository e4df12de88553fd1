"""Which comparisons of groups an edited plan no longer makes, and how many findings of its runs rest on them."""

from dataclasses import dataclass
from typing import Any

from plumbline.audits.models import Plan
from plumbline.desk.lost_contrasts import Contrasts, named
from plumbline.desk.plans.kept_contrasts import contrasts_in, ended
from plumbline.findings.models import Finding, Outcome
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.numbers import counted

PAIRS = (
    "With three and more groups each one is compared with the mean of the others. The button below compares each pair"
    " of groups instead."
)


@dataclass(frozen=True, slots=True)
class ContrastChange:
    """What an edited plan no longer compares, in sentences. `offers_pairs`: to compare each pair of groups helps."""

    sentence: str
    offers_pairs: bool


def contrast_change(plan: Plan, data: Any) -> ContrastChange | None:
    """Return what an edited plan with runs no longer compares, or None if it compares all that it did."""
    if not plan.runs.exists():
        return None
    before, after = contrasts_in(plan.spec), contrasts_in(data)
    gone = ended(before, after)
    if not gone:
        return None
    is_of_others = any(OTHER_GROUPS in pair for pair in after) and not any(OTHER_GROUPS in pair for pair in gone)
    return ContrastChange(f"{_gone(gone, after, is_of_others)} {_findings(plan, gone)}", is_of_others)


def _gone(gone: Contrasts, after: Contrasts, is_of_others: bool) -> str:
    told = f"The new version no longer compares {named(gone.values())}, but {named(after.values())}."
    return f"{told} {PAIRS}" if is_of_others else told


def _findings(plan: Plan, gone: Contrasts) -> str:
    measured = Finding.objects.filter(plan=plan).exclude(latest__outcome=Outcome.NOT_MEASURED)
    sides = measured.values_list("group_a", "group_b")
    lost = sum(frozenset(pair) in gone for pair in sides)
    if not lost:
        return "Save as another plan keeps this one as it is."
    return (
        f"{counted(lost, 'finding')} of its earlier runs will no longer be measured. Save as another plan keeps this"
        " one as it is."
    )
