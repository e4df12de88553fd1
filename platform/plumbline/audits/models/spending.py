"""What runs have spent at endpoints, in the currency of their prices."""

from typing import Any, ClassVar

from django.db import models

from plumbline.audits.models.runs import Run

AMOUNT: dict[str, Any] = {"max_digits": 20, "decimal_places": 9}
"""A single request may cost a millionth."""


class RunSpending(models.Model):
    """What one run has spent and may spend. `reserved` is the highest cost of requests whose answers are not there."""

    run = models.OneToOneField(Run, on_delete=models.CASCADE, primary_key=True, related_name="spending")
    budget = models.DecimalField(**AMOUNT, null=True, blank=True, help_text="Empty: no limit")
    reserved = models.DecimalField(**AMOUNT, default=0)
    spent = models.DecimalField(**AMOUNT, default=0)

    class Meta:
        ordering: ClassVar = ["run"]
        verbose_name_plural = "spending of runs"

    def __str__(self) -> str:
        return f"run {self.run_id}: {self.spent}"


class MonthSpending(models.Model):
    """What all runs together have spent in one month (UTC), also those that were deleted since."""

    month = models.DateField(primary_key=True, help_text="Its first day")
    reserved = models.DecimalField(**AMOUNT, default=0)
    spent = models.DecimalField(**AMOUNT, default=0)

    class Meta:
        ordering: ClassVar = ["-month"]
        verbose_name_plural = "spending of months"

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}: {self.spent}"
