"""Models under audit and plans."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from plumbline.vocab.models.recorded import recorded


class Models(models.QuerySet["ModelUnderAudit"]):
    def archived_references(self) -> "models.QuerySet[ModelUnderAudit, Any]":
        """Return the references of archived models, for conditions of other queries."""
        return self.exclude(archived_at=None).values("reference")


@recorded
class ModelUnderAudit(models.Model):
    """A language model that the team audits. Lists leave it out once it is archived; its runs stay."""

    CALLED: ClassVar = ("reference",)

    reference = models.CharField(
        max_length=500, unique=True, help_text="hub:org/name@revision, path:DIR or bundled:NAME"
    )
    title = models.CharField(max_length=200, blank=True, help_text="How pages name it: Support chat, release 3")
    tags = models.CharField(max_length=300, blank=True, default="", db_default="", help_text="With commas between them")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Who answers for it",
    )
    archived_at = models.DateTimeField(null=True, blank=True, help_text="Empty: lists show it")
    notes = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = Models.as_manager()

    class Meta:
        verbose_name_plural = "models under audit"
        ordering: ClassVar = ["reference"]

    def __str__(self) -> str:
        return self.title or self.reference

    @property
    def tag_list(self) -> list[str]:
        return [tag for part in self.tags.split(",") if (tag := part.strip())]


@recorded
class Plan(models.Model):
    """A named spec that can be launched repeatedly."""

    CALLED: ClassVar = ("name",)

    name = models.CharField(max_length=200, unique=True)
    spec = models.JSONField(help_text="The audit spec, as in a YAML file")
    description = models.TextField(blank=True)
    archived_at = models.DateTimeField(null=True, blank=True, help_text="Empty: lists show it")
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
