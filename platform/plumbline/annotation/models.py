"""Annotation tasks. Their items are frozen, so that they outlive their run and its vocabularies."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from plumbline.audits.models import Run


class Kind(models.TextChoices):
    MAPPING = "mapping", "words to traits"
    RATING = "rating", "distractors rated"
    VALIDATION = "validation", "templates validated"


class AnnotationTask(models.Model):
    """Items that several people answer independently. `chosen` stores which items, and how they were drawn."""

    kind = models.CharField(max_length=16, choices=Kind.choices)
    title = models.CharField(max_length=120)
    run = models.ForeignKey(Run, models.SET_NULL, null=True, related_name="annotation_tasks")
    chosen = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "review"
        default_permissions = ("view", "add", "delete")
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return self.title

    @property
    def poles(self) -> list[str]:
        """The adjectives that a word may be mapped to, pair by pair."""
        return [pair[side] for pair in self.chosen.get("traits", []) for side in ("left", "right")]

    @property
    def bank(self) -> str:
        """The slug of the bank whose templates are validated. The bank may no longer exist."""
        return str(self.chosen.get("bank", ""))


class ValidatedTemplate(models.Model):
    """A template of BBQ that a task validates by one question per condition, with the digest of its texts."""

    task = models.ForeignKey(AnnotationTask, models.CASCADE, related_name="templates")
    bank_slug = models.CharField(max_length=100)
    category = models.CharField(max_length=100)
    template = models.CharField(max_length=100)
    digest = models.CharField(max_length=64)

    class Meta:
        app_label = "review"
        default_permissions = ()
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["task", "category", "template"], name="validated_template_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["digest"], name="validated_digest"),
            models.Index(fields=["bank_slug", "category", "template"], name="validated_place"),
        ]

    def __str__(self) -> str:
        return f"{self.bank_slug}: {self.category} {self.template}"


class AnnotationItem(models.Model):
    """One item to answer: `content` is shown, `origin` is hidden from annotators."""

    task = models.ForeignKey(AnnotationTask, models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    content = models.JSONField()
    origin = models.JSONField()

    class Meta:
        app_label = "review"
        default_permissions = ()
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["task", "position"], name="annotation_place_once")]

    def __str__(self) -> str:
        return f"{self.task_id}: {self.position}"


class Participation(models.Model):
    """One person's work on a task. After ending or declining it, the person can change nothing and see the results."""

    task = models.ForeignKey(AnnotationTask, models.CASCADE, related_name="participations")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="annotations")
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)
    declined = models.BooleanField(default=False)

    class Meta:
        app_label = "review"
        default_permissions = ()
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["task", "person"], name="annotation_person_once")]

    def __str__(self) -> str:
        return f"{self.task_id}: {self.person_id}"


class Answer(models.Model):
    """One saved answer. The latest answer to an item counts. Undo deletes the latest answer of all."""

    participation = models.ForeignKey(Participation, models.CASCADE, related_name="answers")
    item = models.ForeignKey(AnnotationItem, models.CASCADE, related_name="+")
    value = models.JSONField()
    answered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "review"
        default_permissions = ("add",)
        ordering: ClassVar = ["id"]
        indexes: ClassVar = [models.Index(fields=["participation", "item", "-id"], name="annotation_latest_answer")]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.value}"

    @classmethod
    def latest(cls, participation: int) -> dict[int, Any]:
        """Return one person's valid answers by item."""
        own = cls.objects.filter(participation=participation).order_by("item", "-id").distinct("item")
        return dict(own.values_list("item", "value"))
