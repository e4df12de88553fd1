"""What a figure means for a rule. Pure functions on stored verdicts and intervals: no test is computed here."""

from enum import StrEnum

from plumbline.findings.gate.figures import Figure
from plumbline.findings.gate.rules import Rule
from plumbline.spec.verdicts import Verdict

WORSE = frozenset({"new", "stronger", "reversed", "changed"})
BETTER = frozenset({"weaker", "gone"})


class Outcome(StrEnum):
    PASS = "pass"
    BREACH = "breach"
    UNDECIDED = "undecided"


def outcome_of(rule: Rule, one: Figure) -> tuple[Outcome, str]:
    """Return what one figure means for a rule, and why in a few words."""
    if one.effect is None or not one.verdict:
        return Outcome(rule.missing), f"missing: {one.reason or 'it has no verdict'}"
    if one.verdict == Verdict.NOT_TESTABLE:
        return Outcome(rule.not_testable), f"not testable: {one.reason or 'too few units'}"
    if _is_shown(rule, one) and abs(one.effect) >= rule.smallest_effect:
        return Outcome.BREACH, _shown(one)
    if one.outcome in BETTER:
        return Outcome.PASS, one.outcome
    if is_small(rule, one):
        return Outcome.PASS, "shown to be smaller than the smallest effect"
    return Outcome.UNDECIDED, "neither shown to be large nor to be small"


def of_all(outcomes: list[Outcome]) -> Outcome:
    """Return the outcome of several figures or rules: a breach counts before what is undecided."""
    order = (Outcome.BREACH, Outcome.UNDECIDED)
    return next((one for one in order if one in outcomes), Outcome.PASS)


def is_small(rule: Rule, one: Figure) -> bool:
    """Return whether the effect is smaller than the rule's: by the equivalence test, or by the whole interval."""
    limit = rule.smallest_effect
    if one.verdict == Verdict.ABSENT and one.margin is not None and one.margin <= limit:
        return True
    return one.low is not None and one.high is not None and -limit < one.low <= one.high < limit


def _is_shown(rule: Rule, one: Figure) -> bool:
    return one.verdict == Verdict.PRESENT if rule.against == "nothing" else one.outcome in WORSE


def _shown(one: Figure) -> str:
    return one.outcome or "present"
