"""Requested comparisons of any two runs. Runs of a plan also get a comparison with the run before."""

from typing import ClassVar

from django.db import models

from plumbline.audits.models.questions import Question
from plumbline.audits.models.runs import Run
from plumbline.audits.states import WorkState


class ComparisonRequest(Question):
    """A request for the second run minus the first.

    Its cells are measures of the second run, of the variant `run:FIRST`.
    """

    first = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="comparison_requests")
    paired = models.BigIntegerField(null=True, blank=True)
    only_previous = models.BigIntegerField(null=True, blank=True)
    only_new = models.BigIntegerField(null=True, blank=True)
    not_scorable = models.BigIntegerField(null=True, blank=True)
    cells = models.PositiveIntegerField(null=True, blank=True)
    moved = models.PositiveIntegerField(null=True, blank=True, help_text="Cells whose q-value is below the level")
    also_differs = models.JSONField(default=list, help_text="What else than the model's answers changed")

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["first", "second"],
                condition=~models.Q(state=WorkState.DONE),
                name="one_open_comparison_of_two_runs",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The request as text, for the worker that leased it."""
        return f"comparison of run {self.second_id} with run {self.first_id}"
