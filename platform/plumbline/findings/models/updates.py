"""Which runs have their findings written, and what was counted besides."""

from datetime import datetime

from django.db import models

from plumbline.audits.models import Run


class Update(models.Model):
    """The writing of one run's findings. It is due again if the run got a newer summary, and after a failure."""

    run = models.OneToOneField(Run, primary_key=True, on_delete=models.CASCADE, related_name="findings_update")
    summarised_at = models.DateTimeField(null=True, help_text="When the summary was made that the findings rest on")
    release = models.CharField(max_length=720, blank=True, help_text="The model with its revision")
    counts = models.JSONField(default=list, help_text="By rule of the card: measures present, and those taken")
    withheld = models.TextField(blank=True, help_text="Why the run adds no findings although it has present measures")
    error = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True, help_text="Not before; empty: nothing is tried again")
    written_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"findings of run {self.run_id}"

    def is_of(self, summarised_at: datetime | None) -> bool:
        """Return whether the findings were written from the summary that was made at this time."""
        return self.written_at is not None and self.summarised_at == summarised_at and not self.error
