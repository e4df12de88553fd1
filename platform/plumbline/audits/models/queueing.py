"""The queue of runs: the worker time of each person, and who reordered it."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from plumbline.audits.models.runs import Run
from plumbline.audits.states import Priority

NO_PERSON = 0
"""The account of runs that nobody is named for: those of the command line."""


class WorkerTime(models.Model):
    """The worker time that the runs of one person were given. Only differences between persons matter."""

    person = models.BigIntegerField(unique=True, help_text="The account's number; 0: the command line")
    seconds = models.FloatField(default=0.0)

    class Meta:
        verbose_name_plural = "worker times"
        ordering: ClassVar = ["person"]

    def __str__(self) -> str:
        return f"{self.person}: {self.seconds:.1f} s"


class MoveKind(models.TextChoices):
    FRONT = "front", "Moved to the front"
    UP = "up", "Moved up"
    RELEASE = "release", "Given back to the shared order"
    PRIORITY = "priority", "Priority changed"


class QueueMove(models.Model):
    """One change of the queue by a person. Rows are only added."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="moves")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    kind = models.CharField(max_length=8, choices=MoveKind.choices)
    position_before = models.PositiveIntegerField()
    position_after = models.PositiveIntegerField()
    priority_before = models.PositiveSmallIntegerField(choices=Priority.choices)
    priority_after = models.PositiveSmallIntegerField(choices=Priority.choices)
    moved_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"run {self.run_id}: {self.get_kind_display()}"
