"""The figures that a rule is about: measures of one run, or their changes as the comparison of two runs stored them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from plumbline.audits.models import Run
from plumbline.findings.gate.rules import Rule
from plumbline.findings.observing import null_of_statistic
from plumbline.findings.sentences import primary_first
from plumbline.results import before_after
from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import Measure

LABELS = ("group_a", "group_b", "category", "condition", "attribute", "template")
Labels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure or a change. `effect` and the interval are distances from the value without any effect."""

    labels: Labels
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    verdict: str = ""
    q_value: float | None = None
    margin: float | None = None
    """The smallest effect of the stored verdict, which may differ from the rule's."""
    outcome: str = ""
    """Of a change: what became of the figure, as the comparison of the two runs says it."""
    reason: str = ""

    @property
    def name(self) -> str:
        return ", ".join(filter(None, self.labels)) or "whole run"


def of_one_run(run: Run, rule: Rule) -> list[Figure]:
    null = null_of_statistic(run.probe, rule.statistic)
    return [_figure(one, null) for one in selected(run, rule)]


def of_change(run: Run, before: Run, rule: Rule) -> list[Figure]:
    """Return the changes since an earlier run. A figure that was not compared has no value."""
    rows = before_after.of_statistic(run.pk, before.pk, rule.statistic)
    compared = {_labels(row): _change(row) for row in rows}
    wanted = {labels_of(one) for each in (run, before) for one in selected(each, rule)}
    lacking = "the comparison of the two runs has no such figure"
    return [compared.get(one, Figure(one, reason=lacking)) for one in sorted(wanted)]


def selected(run: Run, rule: Rule) -> list[Measure]:
    """Return the measures of a run that a rule is about, also those without a value or verdict."""
    found = of_run(run.pk, rule.statistic).filter(_is_wanted(rule))
    variants = [rule.variant]
    if rule.variant is None:
        variants = [*primary_first(found.order_by().values_list("variant", flat=True).distinct())[:1]]
    return sorted(_over_templates(measures(found.filter(variant__in=variants))), key=labels_of)


def labels_of(one: Measure) -> Labels:
    return tuple(getattr(one, name) for name in LABELS)


def _labels(row: Mapping[str, Any]) -> Labels:
    return tuple(row[name] for name in LABELS)


def _is_wanted(rule: Rule) -> Q:
    exact = {name: getattr(rule, name) for name in ("group_a", "group_b", "category", "condition")}
    words = ~Q(attribute="") if rule.every_word else Q(attribute=rule.attribute)
    return words & Q(**{name: value for name, value in exact.items() if value is not None})


def _over_templates(found: Sequence[Measure]) -> Iterable[Measure]:
    """Return the figures over all templates, or those of the only template of a run that has one."""
    over_all = [one for one in found if not one.template]
    return found if not over_all and len({one.template for one in found}) == 1 else over_all


def _figure(one: Measure, null: float) -> Figure:
    effect, low, high = (None if at is None else at - null for at in (one.value, one.ci_low, one.ci_high))
    return Figure(labels_of(one), effect, low, high, one.verdict, one.q_value, one.smallest_effect, reason=one.reason)


def _change(row: Mapping[str, Any]) -> Figure:
    return Figure(
        labels=_labels(row),
        effect=row["change"],
        low=row["change_low"],
        high=row["change_high"],
        verdict=row["change_verdict"],
        q_value=row["change_q"],
        margin=row["smallest_effect"],
        outcome=row["outcome"],
    )
