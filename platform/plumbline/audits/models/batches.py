"""Batches of requests that an endpoint answers later."""

import uuid
from typing import ClassVar

from django.db import models

from plumbline.audits.models.runs import Run
from plumbline.audits.models.spending import AMOUNT


class RequestBatch(models.Model):
    """Requests of a run at its endpoint. `key` names the batch there before the endpoint gives it an id.

    The row exists before the batch, so that what a killed worker submitted is found again.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="batches")
    key = models.UUIDField(default=uuid.uuid4, unique=True)
    endpoint_id = models.CharField(max_length=200, blank=True, help_text="Empty: not known to be submitted")
    requests = models.PositiveIntegerField()
    answered = models.PositiveIntegerField(default=0, help_text="As the endpoint told last")
    left_out = models.CharField(max_length=100, blank=True, help_text="Parameters that the model refuses")
    month = models.DateField(help_text="The month (UTC) whose budget it is charged to")
    reserved = models.DecimalField(**AMOUNT, default=0, help_text="What is set aside for requests without an answer")
    cancelled = models.BooleanField(default=False, help_text="Cancelled with its run")
    ended = models.BooleanField(default=False)
    submitted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["id"]
        verbose_name_plural = "request batches"

    def __str__(self) -> str:
        return f"run {self.run_id}: {self.endpoint_id or self.key}"
