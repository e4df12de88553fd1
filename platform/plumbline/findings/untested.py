"""Why a run tested none of the figures that could become findings: then it shows nothing, not even small effects."""

from collections.abc import Sequence

from django.db.models import Count

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.by_method import findings_of
from plumbline.findings.selection import rows_of, rules_there
from plumbline.results.summary import is_of_earlier_rules, of_run
from plumbline.spec.finding_rules import FindingRule
from plumbline.spec.measure import FAMILY_AND_KIND
from plumbline.spec.numbers import counted, several
from plumbline.spec.verdicts import Verdict

NO_FIGURE = "the run has no figure with a test"


def why_untested(run: Run) -> str:
    """Return why no figure that could become a finding was tested, as part of a sentence.

    It is "" if one was, and for runs that are not finished, have no verdicts yet, or are of a method without findings.
    """
    rules = list(rules_there(run))
    if run.state != RunState.DONE or not rules or _is_any_tested(run, rules) or is_of_earlier_rules(run.pk):
        return ""
    method, statistics = findings_of(run.probe), sorted({rule.statistic for rule in rules})
    return _too_few(run, rules) or method.nothing_to_test(run.pk) or _reason(run, statistics) or NO_FIGURE


def untested_sentence(run: Run) -> str:
    """Return the sentence that nothing could be tested and why, or ""."""
    why = why_untested(run)
    return f"Nothing could be tested: {why}." if why else ""


def _is_any_tested(run: Run, rules: Sequence[FindingRule]) -> bool:
    # The statistics first, without their rows: a run that tested nothing at all needs no look-up of each rule.
    tested = of_run(run.pk, *{rule.statistic for rule in rules}).exclude(verdict__in=("", Verdict.NOT_TESTABLE))
    return tested.exists() and any(rows_of(run, rule).exclude(verdict=Verdict.NOT_TESTABLE).exists() for rule in rules)


def _too_few(run: Run, rules: Sequence[FindingRule]) -> str:
    """Return how many units the figures have at most, if they have too few for any test."""
    rows = (rows_of(run, rule).order_by("-n_units").values_list("n_units", "unit")[:1] for rule in rules)
    most = [row for one in rows for row in one]
    if not most:
        return ""
    units, unit = max(most)
    there = f"{units} {several(unit)}" if unit == FAMILY_AND_KIND else counted(units, unit)
    return f"no figure could have become significant with the units that it rests on ({there} at most)"


def _reason(run: Run, statistics: Sequence[str]) -> str:
    """Return the most frequent reason for which figures of these statistics have no value."""
    found = of_run(run.pk, *statistics).filter(value__isnull=True).exclude(reason="")
    most = found.order_by().values("reason").annotate(rows=Count("id")).order_by("-rows", "reason").first()
    return str(most["reason"]).rstrip(".") if most else ""
