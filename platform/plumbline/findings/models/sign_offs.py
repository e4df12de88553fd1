"""Sign-offs: a second person's word that a run, or a release of a model, has been dealt with."""

from typing import ClassVar

import pgtrigger
from django.conf import settings
from django.db import models

from plumbline.audits.models import Run
from plumbline.vocab.models.recorded import recorded


class Condition(models.TextChoices):
    """What must hold before a run can be signed off. An admin chooses which of them are asked for."""

    JUDGED = "judged", "Every finding of the run is judged"
    NO_DISSENT = "no dissent", "No reviewer votes for another state than a finding has"
    VOTES = "votes", "Enough reviewers vote for the state of each finding"
    NO_CONCERN = "no concern", "The run measures what its method promises"
    OWNED = "owned", "Each confirmed finding has an assignee and a due date"
    FRESH = "fresh", "No list of the run was edited since its launch"


class Decision(models.TextChoices):
    """What a signer decides about the use of the model. The signer's note names the use, the conditions and the reason.

    Sign-offs of earlier releases have none.
    """

    USE = "use", "May be used as described"
    CONDITIONS = "conditions", "May be used on conditions"
    NO_USE = "no use", "Must not be used as described"
    NONE = "none", "No decision about its use"


@recorded
class SignOffRule(models.Model):
    """One condition, asked for or not. There is a row for each, and none can be added or removed."""

    CALLED: ClassVar = ("condition",)

    condition = models.CharField(max_length=12, choices=Condition.choices, unique=True, editable=False)
    is_active = models.BooleanField("asked for", default=True)
    number = models.PositiveSmallIntegerField(default=2, help_text="For votes: how many reviewers must agree")

    class Meta:
        ordering: ClassVar = ["id"]
        default_permissions = ("view", "change")

    def __str__(self) -> str:
        return self.get_condition_display()


@recorded
class SignOff(models.Model):
    """A signature under a run or a release, with the conditions and findings as they were. It is never deleted."""

    CALLED: ClassVar = ("release", "series")

    is_of_release = models.BooleanField(default=False)
    series = models.CharField(max_length=40, blank=True, help_text="Of a run: its plan, as in findings")
    probe = models.CharField(max_length=50, blank=True)
    model = models.CharField(max_length=520, help_text="The model without its revision")
    release = models.CharField(max_length=720, help_text="The model with its revision")
    runs = models.ManyToManyField(Run, through="SignedRun", related_name="sign_offs")
    signed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    signed_name = models.CharField(max_length=150, help_text="The signer's name of that day")
    signed_at = models.DateTimeField(auto_now_add=True)
    decision = models.CharField(max_length=12, choices=Decision.choices, blank=True, default="", db_default="")
    note = models.TextField(blank=True, help_text="For which use, on which conditions, and why")
    conditions = models.JSONField(help_text="The conditions that were asked for, and what held")
    findings = models.JSONField(help_text="The findings of the runs as they stood: sentence, state, reason, people")
    withdrawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    withdrawn_name = models.CharField(max_length=150, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_reason = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ("view",)
        permissions: ClassVar = [("sign_off", "Can sign off runs and releases, and withdraw that")]
        indexes: ClassVar = [models.Index(fields=["series", "model", "probe"], name="sign_off_of_series")]
        triggers: ClassVar = [pgtrigger.Protect(name="sign_off_stays", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        of = f"the release {self.release}" if self.is_of_release else f"run {self.number}"
        ended = f", withdrawn by {self.withdrawn_name}" if self.withdrawn_at else ""
        return f"{of}, signed off by {self.signed_name} on {self.signed_at:%Y-%m-%d}{ended}"

    @property
    def number(self) -> int | None:
        """The run of a sign-off of a run."""
        return next((one.run_id for one in self.signed_runs.all()), None)

    @property
    def decided(self) -> str:
        """What was decided about the model's use, as a sentence."""
        return f"{Decision(self.decision or Decision.NONE).label}."

    @property
    def stands(self) -> bool:
        return self.withdrawn_at is None


class SignedRun(models.Model):
    """A run on which a sign-off rests, also after it was withdrawn: the database refuses to delete such a run."""

    sign_off = models.ForeignKey(SignOff, on_delete=models.CASCADE, related_name="signed_runs")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="+")
    summarised_at = models.DateTimeField(null=True, help_text="When the summary was made that was signed off")

    class Meta:
        ordering: ClassVar = ["run"]
        default_permissions = ()
        constraints: ClassVar = [models.UniqueConstraint(fields=["sign_off", "run"], name="signed_run_once")]

    def __str__(self) -> str:
        return f"run {self.run_id}"
