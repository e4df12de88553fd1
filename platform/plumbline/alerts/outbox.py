"""What new alerts put out, in their own transaction: a mail for all of a run, and a delivery for each webhook."""

from collections.abc import Sequence

from django.db.models import Q

from plumbline.alerts.models import Alert, Delivery, RuleSet, Webhook
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.mail import addresses
from plumbline.audits.mail.notices import one_line
from plumbline.audits.models import Notice, Run

LONGEST_SUBJECT = 200


def put_out(run: Run, rules: RuleSet, alerts: Sequence[Alert]) -> None:
    if alerts:
        _mail(run, rules, alerts)
        _deliveries(rules, alerts)


def _mail(run: Run, rules: RuleSet, alerts: Sequence[Alert]) -> None:
    """Write one notice about all alerts of the run, if the rules name somebody."""
    recipients = addresses.parse(rules.notify)
    if not recipients:
        return
    count = f"{len(alerts)} rule{'' if len(alerts) == 1 else 's'}"
    subject = one_line(f"Plumbline: {count} of {rules.name} in run {run.pk} of {run.name}", LONGEST_SUBJECT)
    Notice.objects.create(
        key=f"alerts {alerts[0].pk} to {alerts[-1].pk}",
        recipients=recipients,
        subject=subject,
        body=digest(run, rules, alerts),
        retry_at=ClockTimestamp(),
    )


def digest(run: Run, rules: RuleSet, alerts: Sequence[Alert]) -> str:
    """Return the text of the mail: each broken rule with what broke it."""
    head = [f"Run {run.pk} of {one_line(run.name)} on {one_line(run.subject)}, judged by {one_line(rules.name)}:"]
    told = [["", one_line(one.title), *(f"  {one_line(line)}" for line in one.told.split("\n"))] for one in alerts]
    return "\n".join(
        [*head, *(line for lines in told for line in lines), "", "The inbox of the desk has the same.", ""]
    )


def _deliveries(rules: RuleSet, alerts: Sequence[Alert]) -> None:
    wanted = Q(rule_sets=rules) | Q(rule_sets__isnull=True)
    for webhook in Webhook.objects.filter(wanted, is_active=True).distinct():
        Delivery.objects.bulk_create(
            [
                Delivery(
                    webhook=webhook, alert=one, line=f"{webhook.pk}/{rules.pk}/{one.rule}", retry_at=ClockTimestamp()
                )
                for one in alerts
            ]
        )


def put_out_test(webhook: Webhook) -> Delivery:
    """Add a test, which is delivered like an alert."""
    return Delivery.objects.create(webhook=webhook, line=f"{webhook.pk}/test", retry_at=ClockTimestamp())
