"""Sets of rules, the alerts that they raised, who has read them, and their deliveries to webhooks."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models

from plumbline.audits.mail import addresses
from plumbline.audits.models import Plan, Run
from plumbline.findings.gate.rules import rules_of_text
from plumbline.spec.errors import InputError
from plumbline.vocab.models.recorded import recorded


def check_rules(text: str) -> None:
    """Raise ValidationError for rules that cannot be read."""
    try:
        rules_of_text(text)
    except InputError as error:
        raise ValidationError(str(error)) from None


def check_recipients(text: str) -> None:
    try:
        addresses.parse(text)
    except InputError as error:
        raise ValidationError(str(error)) from None


@recorded
class RuleSet(models.Model):
    """Rules in the language of the gate, and the runs that they judge."""

    CALLED: ClassVar = ("name",)

    name = models.CharField(max_length=200, unique=True)
    plan = models.ForeignKey(Plan, null=True, blank=True, on_delete=models.CASCADE, help_text="Empty: runs of any plan")
    probe = models.CharField("method", max_length=50, help_text="Rules name statistics of one method, such as ilps")
    model = models.CharField(max_length=520, blank=True, help_text="A model without its revision. Empty: any")
    rules = models.TextField(validators=[check_rules], help_text="YAML, as docs/gate.md describes it")
    notify = models.TextField(
        blank=True, validators=[check_recipients], help_text="E-mail addresses, one a line: one mail for each run"
    )
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name


class Judgement(models.Model):
    """A set of rules has judged a run. A later summary of the run is judged again."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="+")
    rule_set = models.ForeignKey(RuleSet, on_delete=models.CASCADE, related_name="+")
    judged_at = models.DateTimeField()
    outcome = models.CharField(max_length=10, help_text="pass, breach, undecided, or error")

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "rule_set"], name="judgement_once")]


class Alert(models.Model):
    """A rule that a run broke, or a set of rules that could not judge it. It is never deleted with its rules."""

    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    run_number = models.IntegerField()
    model = models.CharField(max_length=600)
    rule_set = models.ForeignKey(RuleSet, null=True, on_delete=models.SET_NULL, related_name="alerts")
    rules_name = models.CharField(max_length=200)
    rule = models.CharField(max_length=200, blank=True, help_text="Empty: the rules could not judge the run")
    told = models.TextField(help_text="What broke the rule, a figure a line")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run_number", "rules_name", "rule"], name="alert_once"),
        ]

    def __str__(self) -> str:
        return f"{self.title} in run {self.run_number}"

    @property
    def title(self) -> str:
        return self.rule or f"{self.rules_name}: not judged"

    @property
    def lines(self) -> list[str]:
        return self.told.split("\n")


class Reading(models.Model):
    """A person has read an alert."""

    alert = models.ForeignKey(Alert, on_delete=models.CASCADE, related_name="readings")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [models.UniqueConstraint(fields=["person", "alert"], name="reading_once")]


class Webhook(models.Model):
    """An address that is told each alert. Its secret signs the requests, and is shown once."""

    name = models.CharField(max_length=200, unique=True)
    url = models.CharField(
        "address", max_length=500, help_text="https://...; internal hosts only if WEBHOOK_HOSTS names them"
    )
    rule_sets = models.ManyToManyField(RuleSet, blank=True, help_text="None: alerts of all rules")
    is_active = models.BooleanField(default=True)
    sealed_secret = models.TextField(editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name


class Delivery(models.Model):
    """One alert for one webhook, or a test. Rows are the outbox: a killed process loses none."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    alert = models.ForeignKey(Alert, null=True, on_delete=models.CASCADE, related_name="+", help_text="Empty: a test")
    line = models.CharField(max_length=420, help_text="Deliveries of one line arrive in their order")
    key = models.UUIDField(default=uuid.uuid4, unique=True, help_text="The same for each attempt")
    created_at = models.DateTimeField(auto_now_add=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True, help_text="Not before; empty: nothing more is tried")
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        verbose_name_plural = "deliveries"
        default_permissions = ("view",)
        constraints: ClassVar = [models.UniqueConstraint(fields=["webhook", "alert"], name="delivery_once")]
        indexes: ClassVar = [
            models.Index(fields=["line", "id"], name="delivery_waiting", condition=models.Q(retry_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.webhook}: {self.alert or 'test'}"
