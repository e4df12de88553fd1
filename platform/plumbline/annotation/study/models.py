"""Studies, who sits them, and the answers. A closed study no longer knows who gave which answers."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from plumbline.audits.models import Run


class Study(models.Model):
    """A study of one run. Words and right answers are frozen, so that the study outlives its run."""

    title = models.CharField(max_length=120)
    run = models.ForeignKey(Run, models.SET_NULL, null=True, related_name="studies")
    version = models.PositiveSmallIntegerField(help_text="The version of the questions")
    words = models.JSONField(help_text="Target, feature and list of the feature; the words to choose from, by kind")
    right = models.JSONField(help_text="The right answers by task, as the run had them")
    people = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="+")
    closed_on = models.DateField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "review"
        default_permissions = ("view", "add", "change", "delete")
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return self.title


class Sitting(models.Model):
    """One person's way through a study. `shown_at` is empty while the person has left it, and at the end."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="sittings")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", help_text="Empty once it is closed"
    )
    step = models.PositiveSmallIntegerField(default=0)
    shown_at = models.DateTimeField(null=True)
    seconds = models.FloatField(default=0, help_text="Already spent on the present step, before the person left")
    ended = models.BooleanField(default=False)

    class Meta:
        app_label = "review"
        default_permissions = ("add",)
        constraints: ClassVar = [models.UniqueConstraint(fields=["study", "person"], name="study_sat_once")]

    def __str__(self) -> str:
        return f"{self.study_id}: {self.pk}"


class StudyAnswer(models.Model):
    """One answered step: its fields, and how long it was open."""

    sitting = models.ForeignKey(Sitting, models.CASCADE, related_name="answers")
    step = models.CharField(max_length=40)
    value: Any = models.JSONField(help_text="By field; a field without an answer is missing")
    seconds = models.FloatField()

    class Meta:
        app_label = "review"
        default_permissions = ()
        constraints: ClassVar = [models.UniqueConstraint(fields=["sitting", "step"], name="study_step_once")]

    def __str__(self) -> str:
        return f"{self.sitting_id}: {self.step}"
