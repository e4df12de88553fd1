"""Words that people add to a finished run. Each is scored by a small run, whose measures join those of the run."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from plumbline.audits.models.runs import Run


class WordKind(models.TextChoices):
    TARGET = "target", "Target"
    FEATURE = "feature", "Feature"


class AddedWord(models.Model):
    """One added word. A removed word stays stored, so that it can be restored without new model requests."""

    run = models.ForeignKey(
        Run, on_delete=models.CASCADE, related_name="added_words", help_text="To which it was added"
    )
    small = models.OneToOneField(
        Run, on_delete=models.CASCADE, related_name="added_word", help_text="The run that asks about this word alone"
    )
    kind = models.CharField(max_length=8, choices=WordKind.choices)
    word = models.CharField(max_length=200)
    category = models.CharField(max_length=300, blank=True, help_text="Of a feature the list that it joins")
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    added_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, blank=True, help_text="When somebody took it away again")

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["run", "kind", "category", "word"],
                condition=models.Q(removed_at__isnull=True),
                name="word_added_once",
            ),
            models.CheckConstraint(condition=models.Q(kind__in=WordKind.values), name="added_word_kind_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.word} added to run {self.run_id}"
