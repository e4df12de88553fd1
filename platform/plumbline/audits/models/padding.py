"""Comparisons of runs that differ only in the text before each sentence. Each is computed once and stored."""

from typing import ClassVar

from django.db import models

from plumbline.audits.models.questions import Question
from plumbline.audits.models.runs import Run
from plumbline.audits.states import WorkState


class PaddingComparison(Question):
    """A request to compare runs and, when it is done, how often their scores differ."""

    LEVELS: ClassVar = (0.05, 0.01)
    """The levels of p and q below which targets are counted."""

    run = models.ForeignKey(
        Run, on_delete=models.CASCADE, related_name="padding_comparisons", help_text="The first of the runs"
    )
    runs = models.JSONField(default=list, help_text="[run, digest] of each text, in order")
    key = models.CharField(max_length=64, help_text="Digest of the runs and of what they hold")
    found = models.JSONField(default=list, blank=True, help_text="A row for each list, test and pair of texts")

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["key"], condition=~models.Q(state=WorkState.DONE), name="one_open_comparison_of_texts"
            )
        ]
        indexes: ClassVar = [models.Index(fields=["key"], name="padding_comparison_key")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The request as text, for the worker that leased it."""
        return f"padding texts of {len(self.runs)} runs like run {self.run_id}"
