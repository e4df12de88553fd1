"""Which comparisons of groups an edited plan keeps, which it no longer makes, and how many findings rest on these."""

from dataclasses import dataclass
from typing import Any

from plumbline.audits.models import Plan
from plumbline.desk.lost_contrasts import Contrasts, named
from plumbline.desk.plans.builder.drafts import Draft
from plumbline.desk.plans.builder.places import ABSENT, Change, value_at, with_change
from plumbline.desk.plans.kept_contrasts import (
    CONTRASTS,
    EACH_PAIR,
    MEAN_OF_OTHERS,
    contrasts_in,
    ended,
    keeping_contrasts,
)
from plumbline.findings.models import Finding, Outcome
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.numbers import counted

CHOICES: dict[str, Change] = {"pairs": EACH_PAIR, "rest": MEAN_OF_OTHERS}
"""What the buttons beside such a sentence do."""


@dataclass(frozen=True, slots=True)
class ContrastChange:
    """What an edited plan compares, in a sentence. `offers`: the key of the other choice, or ""."""

    sentence: str
    offers: str
    ends_comparisons: bool = True


def keep_contrasts(draft: Draft, plan: Plan) -> None:
    """Compare each pair of groups in the draft if only that keeps what the plan's runs compared.

    A draft whose author chose how groups are compared stays as it is, and so does one of a plan without runs.
    """
    is_open = value_at(draft.data, CONTRASTS) is ABSENT and plan.runs.exists()
    if is_open and keeping_contrasts(plan.spec, draft.data) is not draft.data:
        draft.change(EACH_PAIR)


def contrast_change(plan: Plan, data: Any) -> ContrastChange | None:
    """Return how an edited plan with runs compares other groups than it did, or None if there is nothing to say."""
    if not plan.runs.exists():
        return None
    before, after = contrasts_in(plan.spec), contrasts_in(data)
    gone = ended(before, after)
    if not gone:
        return _kept(plan, before, data)
    is_of_others = any(OTHER_GROUPS in pair for pair in after) and not any(OTHER_GROUPS in pair for pair in gone)
    told = f"The new version no longer compares {named(gone.values())}, but {named(after.values())}."
    return ContrastChange(f"{told} {_findings(plan, gone)}", "pairs" if is_of_others else "")


def _kept(plan: Plan, before: Contrasts, data: Any) -> ContrastChange | None:
    """Return that each pair of groups is compared for the sake of the plan's earlier comparisons, if that is so."""
    if value_at(data, CONTRASTS) != "pairs" or value_at(plan.spec, CONTRASTS) is not ABSENT:
        return None
    if not ended(before, contrasts_in(with_change(data, (CONTRASTS, ABSENT)))):
        return None
    told = f"This version compares each pair of groups, so that it still compares {named(before.values())}."
    return ContrastChange(told, "rest", ends_comparisons=False)


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
