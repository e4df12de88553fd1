"""Observations: the evidence for a finding in one run."""

from typing import Any, ClassVar

from django.db import models

from plumbline.audits.models import Run
from plumbline.findings.models.findings import Finding
from plumbline.spec.verdicts import Verdict


class Outcome(models.TextChoices):
    """What a run shows about a finding, compared with the run before."""

    NEW = "new", "First found"
    STILL = "still", "Still there"
    STRONGER = "stronger", "Stronger"
    WEAKER = "weaker", "Weaker"
    REVERSED = "reversed", "Reversed"
    BACK = "back", "Back"
    GONE = "gone", "Gone"
    UNDECIDED = "undecided", "Undecided"
    NOT_MEASURED = "not measured", "Not measured"
    OTHER_WORDS = "other words", "Asked in other words or groups"


class Observation(models.Model):
    """The measure behind a finding as a run's summary stored it. A new summary of the run updates it.

    The numbers are copies, so that they stay when the run is deleted. `change` belongs to the test against the run
    before, where there is one.
    """

    finding = models.ForeignKey(Finding, on_delete=models.CASCADE, related_name="observations")
    run = models.ForeignKey(Run, null=True, blank=True, on_delete=models.SET_NULL, related_name="observations")
    run_number = models.IntegerField()
    release = models.CharField(max_length=720, blank=True, help_text="The model with its revision")
    fingerprint = models.CharField(max_length=64, blank=True, help_text="Of the method, its version, params and words")
    words = models.CharField(
        max_length=320,
        blank=True,
        default="",
        db_default="",
        help_text="Digests of the forms in which the finding's groups and its word were asked; empty if not known",
    )
    outcome = models.CharField(max_length=12, choices=Outcome.choices)
    sentence = models.TextField()
    value = models.FloatField(null=True)
    ci_low = models.FloatField(null=True)
    ci_high = models.FloatField(null=True)
    q_value = models.FloatField(null=True)
    equivalence_q = models.FloatField(null=True)
    verdict = models.TextField(blank=True)
    smallest_effect = models.FloatField(null=True)
    n = models.IntegerField(default=0)
    unit = models.TextField(blank=True)
    n_units = models.IntegerField(default=0)
    confounds = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    withheld = models.BooleanField(default=False, help_text="The run has a concern, so the measure cannot be read")
    compared_with = models.IntegerField(null=True, help_text="The run that the test of the change compares with")
    change_outcome = models.CharField(max_length=12, blank=True, help_text="As in v_before_after")
    change = models.FloatField(null=True)
    change_low = models.FloatField(null=True)
    change_high = models.FloatField(null=True)
    change_q = models.FloatField(null=True)
    written_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["run_number"]
        default_permissions = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["finding", "run_number"], name="observation_once_a_run")
        ]
        indexes: ClassVar = [models.Index(fields=["run_number"], name="observation_of_run")]

    def __str__(self) -> str:
        return f"run {self.run_number}: {self.outcome}"

    @property
    def statistic(self) -> str:
        """The statistic of its finding."""
        return self.finding.statistic

    @property
    def outcome_told(self) -> str:
        """The outcome in words. A small effect beside an undecided change is not shown to have gone away."""
        is_small = self.outcome == Outcome.UNDECIDED and self.verdict == Verdict.ABSENT
        return "Small, change not shown" if is_small else Outcome(self.outcome).label

    @property
    def figures(self) -> dict[str, Any]:
        """The copied numbers, by the fields of a measure."""
        return {name: getattr(self, name) for name in COPIED}


COPIED = (
    *("value", "ci_low", "ci_high", "q_value", "equivalence_q", "verdict", "smallest_effect"),
    *("n", "unit", "n_units", "confounds", "reason"),
)
"""The fields that an observation copies from its measure."""
