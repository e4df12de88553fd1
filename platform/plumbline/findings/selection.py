"""The measures of a run that become findings, by the rules of its method's card."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Expression, F, Q, QuerySet, Value
from django.db.models.functions import Abs, Greatest

from plumbline.audits.models import Run
from plumbline.audits.opposites import opposites_of
from plumbline.findings.sentences import primary_first
from plumbline.results.summary import PRESENT, measures, of_run, statistics_there
from plumbline.spec.finding_rules import FindingRule, FindingRules, Rank, Rows
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES, card_of


@dataclass(frozen=True, slots=True)
class Selected:
    """What a rule takes from a run, the clearest first, and how many measures are present in all."""

    rule: FindingRule
    taken: list[Measure]
    present: int


def rules_of(probe: str) -> FindingRules | None:
    """Return the rules of a probe, or None for one that is not registered (any more)."""
    card = card_of(probe)
    return card.findings if card else None


def selected(run: Run) -> list[Selected]:
    """Return what each rule of the run's method takes. Measures of earlier releases have no verdict and give none."""
    return [_selected(run, rule) for rule in rules_there(run)]


def rules_there(run: Run) -> Iterator[FindingRule]:
    """Yield the rules of the run's method, but those in whose place the run has another statistic."""
    known = rules_of(run.probe)
    for rule in known.rules if known else ():
        if not (rule.unless and statistics_there(run.pk, [rule.unless])):
            yield rule


def _selected(run: Run, rule: FindingRule) -> Selected:
    found = rows_of(run, rule).filter(PRESENT)
    return Selected(rule, measures(found.order_by(*_order(run.probe, rule))[: rule.most]), found.count())


def rows_of(run: Run, rule: FindingRule) -> QuerySet[Any]:
    """Return the judged measures that a rule is about, by the run's primary definition."""
    rows = _judged(run, rule)
    variants = primary_first(rows.order_by().values_list("variant", flat=True).distinct())
    return rows.filter(variant=variants[0] if variants else "")


def _judged(run: Run, rule: FindingRule) -> QuerySet[Any]:
    found = of_run(run.pk, rule.statistic).exclude(verdict="").filter(_is_wanted(rule))
    if rule.rows == Rows.OVERALL and rule.between_groups:
        # A mean over words and their opposites tells which group the model links more words to: no stereotype.
        found = found.exclude(category__in=opposites_of(run))
    over_all = found.filter(template="")
    if rule.single_template and not over_all.exists():
        templates = list(found.order_by().values_list("template", flat=True).distinct()[:2])
        return found if len(templates) == 1 else over_all
    return over_all


def _is_wanted(rule: FindingRule) -> Q:
    wanted = Q(attribute="") if rule.rows == Rows.OVERALL else ~Q(attribute="")
    exact = {"condition": rule.condition, "category": rule.category}
    wanted &= Q(**{name: value for name, value in exact.items() if value is not None})
    if rule.between_groups is None:
        return wanted
    return wanted & (~Q(group_a="") if rule.between_groups else Q(group_a="", group_b=""))


def _order(probe: str, rule: FindingRule) -> tuple[Any, ...]:
    statistic = PROBES[probe].card.statistic(rule.statistic)
    null = statistic.null if statistic else 0.0
    by: Expression = Abs(F("value") - Value(null)).desc()
    if rule.rank == Rank.EVIDENCE:
        by = Greatest(Value(0.0), F("ci_low") - Value(null), Value(null) - F("ci_high")).desc()
    return (by, "attribute", "group_a", "group_b", "category")
