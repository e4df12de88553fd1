"""The people who are told when a run ends."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from plumbline.audits.models.runs import Run


class RunFollower(models.Model):
    """A person who asked to be told when a run ends. The row goes when the notice is written."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="followers")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "person"], name="one_follower_per_person")]

    def __str__(self) -> str:
        return f"run {self.run_id}: {self.person_id}"
