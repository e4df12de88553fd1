"""How far the methods of a model agree. Each analysis is computed once and stored."""

from typing import ClassVar

from django.db import models

from plumbline.audits.models.questions import Question
from plumbline.audits.states import WorkState


class MethodAgreement(Question):
    """A request to hold the methods of a model against each other and, when it is done, the results."""

    ALPHA: ClassVar = 0.05

    model = models.CharField(max_length=500, help_text="The reference as launched")
    runs = models.JSONField(default=list, help_text="[run, digest] of the latest run of each method and audit")
    key = models.CharField(max_length=64, help_text="Digest of the runs and of what they hold")
    found = models.JSONField(default=list, blank=True, help_text="A row for each pair of methods")

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["key"], condition=~models.Q(state=WorkState.DONE), name="one_open_agreement_of_methods"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["key"], name="method_agreement_key"),
            models.Index(fields=["model"], name="method_agreement_model"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The request as text, for the worker that leased it."""
        return f"agreement of the methods of {self.model}"
