"""What people decide beforehand: models under audit, and plans."""

from typing import ClassVar

from django.db import models


class ModelUnderAudit(models.Model):
    """A language model that the team answers for."""

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


class Plan(models.Model):
    """An audit that may be launched again and again: a spec by name."""

    name = models.CharField(max_length=200, unique=True)
    spec = models.JSONField(help_text="The audit spec, as in a YAML file")
    description = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    modified_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name
