"""Findings: effects that runs of one plan show on one model, with what people decided about them."""

from typing import ClassVar

import pgtrigger
from django.conf import settings
from django.db import models

from plumbline.audits.models import Plan
from plumbline.vocab.models.recorded import recorded

IDENTITY = (
    *("series", "model", "probe", "statistic", "variant", "group_a", "group_b"),
    *("category", "condition", "attribute", "template"),
)
"""The fields that make two runs' measures one finding. `template` is empty but for pins of a single template."""


class State(models.TextChoices):
    NEW = "new", "New"
    CONFIRMED = "confirmed", "Confirmed"
    DISMISSED = "dismissed", "Dismissed"
    ACCEPTED = "accepted", "Accepted risk"
    MITIGATED = "mitigated", "Mitigated"


JUDGED = tuple(state for state in State if state != State.NEW)


@recorded
class Finding(models.Model):
    """One effect over the runs of a plan. Programs write its evidence, people its state. It is never deleted."""

    CALLED: ClassVar = ("series", "statistic", "group_a", "group_b", "attribute")

    identity = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the fields that identify it")
    series = models.CharField(max_length=40, help_text="`plan 3`, or `run 12` for a run without a plan")
    plan = models.ForeignKey(Plan, null=True, blank=True, on_delete=models.SET_NULL, related_name="findings")
    model = models.CharField(max_length=520, help_text="The model without its revision")
    probe = models.CharField(max_length=50)
    statistic = models.TextField()
    variant = models.TextField(blank=True)
    group_a = models.TextField(blank=True)
    group_b = models.TextField(blank=True)
    category = models.TextField(blank=True)
    condition = models.TextField(blank=True)
    attribute = models.TextField(blank=True)
    template = models.TextField(blank=True)
    latest = models.OneToOneField(
        "Observation", null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text="In the latest run"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    pinned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    pinned_name = models.CharField(max_length=150, blank=True, help_text="Who pinned it; empty: its run found it")
    state = models.CharField(max_length=10, choices=State.choices, default=State.NEW)
    reason = models.TextField(blank=True, help_text="Why it has its state")
    judged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    judged_name = models.CharField(max_length=150, blank=True, help_text="The name of that day of who set the state")
    judged_at = models.DateTimeField(null=True, blank=True)
    judged_run = models.IntegerField(null=True, blank=True, help_text="The run whose evidence the judgement rests on")
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="findings"
    )
    due_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ("view",)
        permissions: ClassVar = [("judge_finding", "Can judge findings, comment, vote and pin")]
        indexes: ClassVar = [
            models.Index(fields=["series", "model", "probe"], name="finding_of_series"),
            models.Index(fields=["state"], name="finding_state"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(state__in=State.values), name="finding_state_is_known")
        ]
        triggers: ClassVar = [pgtrigger.Protect(name="finding_stays", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return self.latest.sentence if self.latest else f"finding {self.pk}"

    @property
    def is_judged(self) -> bool:
        return self.state != State.NEW
