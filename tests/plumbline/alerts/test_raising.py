"""Which runs are judged, and what becomes an alert."""

from datetime import timedelta

import pytest
from django.utils import timezone

from plumbline.alerts import raising
from plumbline.alerts.models import Alert, Delivery, Judgement, RuleSet, Webhook
from plumbline.audits.models import Notice, Plan, Run
from plumbline.audits.sweep import sweep
from plumbline.findings.models import Update
from plumbline.findings.updating import update
from plumbline.spec.verdicts import Verdict
from tests.plumbline.alerts.conftest import rules_text
from tests.plumbline.findings.audited import a_run, difference

pytestmark = pytest.mark.django_db


def finished(value: float = 0.6, verdict: str = Verdict.PRESENT, plan: Plan | None = None) -> Run:
    run = a_run(difference("", value, verdict), plan=plan)
    Run.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    update(run)
    return run


def test_a_broken_rule_becomes_an_alert_that_says_what_broke_it(rule_set: RuleSet) -> None:
    run = finished()
    assert raising.judge_due() == 1
    alert = Alert.objects.get()
    assert (alert.run, alert.run_number, alert.rule) == (run, run.pk, "no stereotype over a list")
    assert "women" in alert.told
    assert ": +0.60 [" in alert.told
    assert "q = 0.01" in alert.told
    assert Judgement.objects.get().outcome == "breach"


def test_an_alert_tells_only_what_broke_the_rule_and_how_many_figures_did(rule_set: RuleSet) -> None:
    RuleSet.objects.update(rules=rules_text("no word", every_word=True))
    broken = [difference(f"word{number}", 0.4 + number / 10) for number in range(8)]
    run = a_run(*broken, difference("unclear", 0.3, Verdict.UNDECIDED))
    Run.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    update(run)
    raising.judge_due()
    lines = Alert.objects.get().told.split("\n")
    assert [line.split(":")[0] for line in lines[:5]] == [f"women, men, traits, word{n}" for n in (7, 6, 5, 4, 3)]
    assert lines[5:] == ["and 3 more"]


def test_a_rule_that_holds_and_an_undecided_one_are_no_alerts(rule_set: RuleSet) -> None:
    finished(0.0, Verdict.ABSENT)
    finished(0.6, Verdict.UNDECIDED)
    assert raising.judge_due() == 2
    assert sorted(Judgement.objects.values_list("outcome", flat=True)) == ["pass", "undecided"]
    assert not Alert.objects.exists()


def test_a_missing_measure_is_an_alert(rule_set: RuleSet) -> None:
    RuleSet.objects.update(rules=rules_text("of another group", attribute="unheard"))
    finished()
    raising.judge_due()
    assert Alert.objects.get().told == "missing: the run has no figure that the rule describes"


def test_rules_that_cannot_judge_a_run_are_an_alert_and_no_silence(rule_set: RuleSet) -> None:
    RuleSet.objects.update(rules=rules_text("of no group", group_a="martians"))
    finished()
    raising.judge_due()
    alert = Alert.objects.get()
    assert (alert.title, Judgement.objects.get().outcome) == ("release: not judged", "error")
    assert "has no group 'martians'" in alert.told


def test_a_run_whose_findings_cannot_be_written_is_an_alert_and_no_silence(rule_set: RuleSet) -> None:
    run = finished()
    Update.objects.update(written_at=None, error="OperationalError: disk full", summarised_at=timezone.now())
    assert [raising.judge_due(), raising.judge_due()] == [1, 0]
    alert = Alert.objects.get()
    assert (alert.run, alert.title, Judgement.objects.get().outcome) == (run, "release: not judged", "error")
    assert alert.told == f"the findings of run {run.pk} could not be written: OperationalError: disk full"


def test_a_run_whose_findings_are_tried_again_waits(rule_set: RuleSet) -> None:
    finished()
    Update.objects.update(written_at=None, error="OperationalError: disk full", retry_at=timezone.now())
    assert raising.judge_due() == 0
    assert not Alert.objects.exists()


def test_judging_again_raises_nothing_twice_but_a_later_summary_is_judged(rule_set: RuleSet) -> None:
    finished()
    assert [raising.judge_due(), raising.judge_due()] == [1, 0]
    Update.objects.update(written_at=timezone.now() + timedelta(seconds=1))
    assert raising.judge_due() == 1
    assert Alert.objects.count() == 1


def test_runs_that_ended_before_the_rules_were_made_are_left_alone(rule_set: RuleSet) -> None:
    finished()
    RuleSet.objects.update(created_at=timezone.now() + timedelta(minutes=1))
    assert raising.judge_due() == 0


@pytest.mark.parametrize("change", [{"is_active": False}, {"probe": "set"}, {"model": "path:/another"}])
def test_rules_judge_only_runs_of_their_scope(rule_set: RuleSet, change: dict[str, object]) -> None:
    finished()
    RuleSet.objects.update(**change)
    assert raising.judge_due() == 0


def test_rules_of_a_plan_judge_its_runs_alone(rule_set: RuleSet) -> None:
    plan = Plan.objects.create(name="weekly", spec={})
    RuleSet.objects.update(plan=plan)
    finished()
    own = finished(plan=plan)
    raising.judge_due()
    assert Alert.objects.get().run == own


def test_all_alerts_of_a_run_are_one_mail(rule_set: RuleSet) -> None:
    RuleSet.objects.update(rules=rules_text("first", "second"), notify="team@example.org\nlead@example.org")
    run = finished()
    raising.judge_due()
    mail = Notice.objects.get()
    assert mail.recipients == ["team@example.org", "lead@example.org"]
    assert mail.subject.startswith(f"Plumbline: 2 rules of release in run {run.pk}")
    assert [line for line in ("first", "second") if line in mail.body.split("\n")] == ["first", "second"]


def test_each_webhook_of_the_rules_gets_a_delivery(rule_set: RuleSet) -> None:
    of_all, own, other, _off = (
        Webhook.objects.create(name=name, url="https://example.org", is_active=name != "off")
        for name in ("all", "own", "other", "off")
    )
    own.rule_sets.add(rule_set)
    other.rule_sets.add(RuleSet.objects.create(name="others", probe="set", rules=rules_text("any")))
    finished()
    raising.judge_due()
    assert set(Delivery.objects.values_list("webhook", flat=True)) == {of_all.pk, own.pk}


def test_the_sweep_judges(rule_set: RuleSet) -> None:
    finished()
    sweep()
    assert Alert.objects.exists()


def test_an_alert_outlives_its_run_and_its_rules(rule_set: RuleSet) -> None:
    run = finished()
    raising.judge_due()
    number = run.pk
    run.delete()
    rule_set.delete()
    alert = Alert.objects.get()
    assert (alert.run, alert.rule_set, alert.run_number, alert.rules_name) == (None, None, number, "release")
