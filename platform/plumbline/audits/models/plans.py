"""Models under audit and plans."""

from typing import ClassVar

from django.db import models

from plumbline.vocab.models.recorded import recorded


class ModelUnderAudit(models.Model):
    """A language model that the team audits."""

    CALLED: ClassVar = ("reference",)

    reference = models.CharField(
        max_length=500, unique=True, help_text="hub:org/name@revision, path:DIR or bundled:NAME"
    )
    title = models.CharField(max_length=200, blank=True)
    notes = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "models under audit"
        ordering: ClassVar = ["reference"]

    def __str__(self) -> str:
        return self.title or self.reference


@recorded
class Plan(models.Model):
    """A named spec that can be launched repeatedly."""

    CALLED: ClassVar = ("name",)

    name = models.CharField(max_length=200, unique=True)
    spec = models.JSONField(help_text="The audit spec, as in a YAML file")
    description = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    modified_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name

    def came_back(self, left_out: int) -> list[str]:
        """Return messages for the person who undid a removal: the plan's runs and schedules were not recorded."""
        return [
            "Runs from before its removal belong to no plan, and later ones are not compared with them.",
            "Schedules that went with it come back one by one, on their own page History.",
        ]
