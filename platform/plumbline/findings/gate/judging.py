"""Judges a finished run by the rules of a gate."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.by_method import concerns, findings_of
from plumbline.findings.gate.earlier_runs import earlier_run
from plumbline.findings.gate.figures import Figure, of_change, of_one_run
from plumbline.findings.gate.outcomes import Outcome, of_all, outcome_of
from plumbline.findings.gate.rules import Rule
from plumbline.results import models
from plumbline.results.summary import is_of_earlier_rules
from plumbline.spec.card import Card
from plumbline.spec.errors import InputError, shown
from plumbline.spec.registry import card_of


@dataclass(frozen=True, slots=True)
class Judged:
    """One figure under one rule. Without a figure the whole rule has this outcome."""

    outcome: Outcome
    why: str
    figure: Figure | None = None


@dataclass(frozen=True)
class RuleResult:
    rule: Rule
    judged: Sequence[Judged]
    before: Run | None = None

    @cached_property
    def outcome(self) -> Outcome:
        return of_all([one.outcome for one in self.judged])

    def of(self, outcome: Outcome) -> list[Judged]:
        return [one for one in self.judged if one.outcome == outcome]


@dataclass(frozen=True)
class GateResult:
    run: Run
    results: Sequence[RuleResult]

    @cached_property
    def outcome(self) -> Outcome:
        return of_all([one.outcome for one in self.results])


def judge(run: Run, rules: Sequence[Rule]) -> GateResult:
    """Judge the run by all rules. Raises InputError for a run or a rule that cannot be judged."""
    _check_run(run)
    check_statistics(run.probe, rules)
    groups = _groups(run)
    for rule in rules:
        _check_rule(run, rule, groups)
    return GateResult(run, [_result(run, rule) for rule in rules])


def _check_run(run: Run) -> None:
    if run.state != RunState.DONE:
        raise InputError(f"run {run.pk} is {run.state}: wait until it is done, or continue it with 'audit resume'.")
    if is_of_earlier_rules(run.pk):
        raise InputError(f"run {run.pk} was summarised by an earlier release: press Summarise again on its page.")


def check_statistics(probe: str, rules: Sequence[Rule]) -> None:
    """Raise InputError if no run of the probe could be judged by one of the rules."""
    if (card := card_of(probe)) is None:
        raise InputError(f"this installation has no probe {shown(probe)}, so no run of it can be judged.")
    for rule in rules:
        _check_statistic(card, rule)


def _check_rule(run: Run, rule: Rule, groups: set[str]) -> None:
    for group in filter(None, (rule.group_a, rule.group_b)):
        if group not in groups:
            known = ", ".join(sorted(groups)) or "none"
            raise InputError(
                f"rule {shown(rule.name)}: run {run.pk} has no group {shown(group)}; its groups are {known}."
            )


def _check_statistic(card: Card, rule: Rule) -> None:
    """Raise InputError for a statistic that the method does not have, or that no rule can read."""
    known = {one.name: one for one in card.statistics}
    if rule.statistic not in known:
        raise InputError(
            f"rule {shown(rule.name)}: the probe {card.probe} has no statistic {shown(rule.statistic)}; it has"
            f" {', '.join(sorted(known))}."
        )
    if rule.against == "nothing" and known[rule.statistic].scale is None:
        tested = ", ".join(sorted(name for name, one in known.items() if one.scale))
        raise InputError(
            f"rule {shown(rule.name)}: {rule.statistic} has no test; take one of {tested or 'another method'}, or a"
            " rule against the last run."
        )


def _groups(run: Run) -> set[str]:
    own = models.Measure.objects.filter(run=run.pk).order_by()
    return {name for of in ("group_a", "group_b") for name in own.values_list(of, flat=True).distinct() if name}


def _result(run: Run, rule: Rule) -> RuleResult:
    if rule.against == "nothing":
        return RuleResult(rule, list(_judged(rule, of_one_run(run, rule), _withheld(run, rule))))
    before, why = earlier_run(run, rule)
    if before is None:
        return RuleResult(rule, [Judged(Outcome(rule.no_baseline), why)])
    withheld = _withheld(run, rule) or _withheld(before, rule)
    return RuleResult(rule, list(_judged(rule, of_change(run, before, rule), withheld)), before)


def _withheld(run: Run, rule: Rule) -> str:
    """Return the concern that keeps this statistic of a run from saying anything, or ""."""
    told = concerns(run)
    return " ".join(told) if told and rule.statistic not in findings_of(run.probe).exempt(run) else ""


def _judged(rule: Rule, figures: Sequence[Figure], withheld: str) -> Iterator[Judged]:
    if not figures:
        yield Judged(Outcome(rule.missing), "missing: the run has no figure that the rule describes")
    for one in figures:
        if withheld:
            yield Judged(Outcome(rule.not_testable), f"not testable: {withheld}", one)
        else:
            yield Judged(*outcome_of(rule, one), one)
