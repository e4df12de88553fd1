"""Judges finished runs by the sets of rules, and stores the alerts. Repeating it raises nothing twice."""

import structlog
from django.db import Error, connection, transaction
from django.db.models import Case, Exists, F, OuterRef, Q, When

from plumbline.alerts.models import Alert, Judgement, RuleSet
from plumbline.alerts.outbox import put_out
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import Run
from plumbline.findings.gate.judging import judge
from plumbline.findings.gate.outcomes import Outcome
from plumbline.findings.gate.reports import broken_by
from plumbline.findings.gate.rules import rules_of_text
from plumbline.findings.identity import model_of
from plumbline.findings.models import Update
from plumbline.spec.errors import InputError

MOST_AT_ONCE = 20
"""The most runs that one sweep judges by one set of rules."""
MOST_TOLD = 5
"""The most figures of a broken rule that an alert names."""
ERROR = "error"
_WRITTEN = Q(written_at__isnull=False, error="")
_GIVEN_UP = ~Q(error="") & Q(retry_at__isnull=True)

log = structlog.get_logger(__name__)


def judge_due() -> int:
    """Judge the runs that no active set has judged since their findings were written. Returns the number of runs."""
    return sum(judged_by(rules) for rules in RuleSet.objects.filter(is_active=True).order_by("pk"))


def judged_by(rules: RuleSet) -> int:
    """Judge the due runs of one set, the oldest first. A fault in one run does not stop the others."""
    done = 0
    for run in due(rules):
        try:
            raise_alerts(run, rules)
        except Exception as error:
            if isinstance(error, Error) and not connection.is_usable():
                raise
            log.exception("a run could not be judged; the sweep tries again", run=run.pk, rules=rules.name)
        else:
            done += 1
    return done


def due(rules: RuleSet) -> list[Run]:
    """Return the runs of the set's plan, method and model that ended after it was made and are not judged since.

    Runs whose findings could not be written are among them: somebody must hear of it.
    """
    known = Judgement.objects.filter(run=OuterRef("run"), rule_set=rules, judged_at__gte=OuterRef("settled_at"))
    ended = Update.objects.filter(_WRITTEN | _GIVEN_UP, run__finished_at__gte=rules.created_at)
    settled = ended.annotate(settled_at=Case(When(error="", then="written_at"), default="summarised_at"))
    wanted = {"run__probe": rules.probe} | ({"run__plan": rules.plan_id} if rules.plan_id else {})
    # Of other models only the revision is left to compare, so that a sweep does not read all runs of an installation.
    wanted |= {"run__model__startswith": rules.model.partition(" with ")[0]} if rules.model else {}
    found = settled.filter(~Exists(known), **wanted).select_related("run").order_by(F("run").asc())
    runs = (one.run for one in found.iterator())
    matching = (run for run in runs if rules.model in ("", model_of(run)))
    return [run for run, _ in zip(matching, range(MOST_AT_ONCE), strict=False)]


@transaction.atomic
def raise_alerts(run: Run, rules: RuleSet) -> list[Alert]:
    """Judge a run and store an alert for each broken rule, with its mail and its deliveries. Return new alerts."""
    outcome, found = _judged(run, rules)
    values = {"judged_at": ClockTimestamp(), "outcome": outcome}
    Judgement.objects.update_or_create(run=run, rule_set=rules, defaults=values)
    made = [alert for rule, told in found if (alert := _alert(run, rules, rule, told))]
    put_out(run, rules, made)
    return made


def _judged(run: Run, rules: RuleSet) -> tuple[str, list[tuple[str, str]]]:
    """Return the outcome, and each broken rule with what broke it. Rules that cannot judge a run are an alert, too."""
    if fault := Update.objects.filter(_GIVEN_UP, run=run).values_list("error", flat=True).first():
        return ERROR, [("", f"the findings of run {run.pk} could not be written: {fault}")]
    try:
        found = judge(run, rules_of_text(rules.rules))
    except InputError as error:
        return ERROR, [("", str(error))]
    broken = [one for one in found.results if one.outcome == Outcome.BREACH]
    return str(found.outcome), [(one.rule.name, "\n".join(broken_by(one, MOST_TOLD))) for one in broken]


def _alert(run: Run, rules: RuleSet, rule: str, told: str) -> Alert | None:
    """Store an alert; None if the same rule has told of this run before."""
    key = {"run_number": run.pk, "rules_name": rules.name, "rule": rule}
    values = {"run": run, "model": run.subject, "rule_set": rules, "told": told}
    alert, is_new = Alert.objects.get_or_create(**key, defaults=values)
    return alert if is_new else None
