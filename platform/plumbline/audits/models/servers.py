"""Servers that are asked for answers, and the workers that share the limit of each."""

from typing import ClassVar

from django.db import models


class AskedServer(models.Model):
    """A server by its address. Its row is locked while a worker computes its share."""

    address = models.CharField(max_length=500, primary_key=True, help_text="Without credentials and /v1")
    learnt = models.FloatField(null=True, help_text="The limit since it was busy; empty: it takes all that is sent")
    lowered_at = models.DateTimeField(null=True, help_text="When it was busy last")
    seen_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["address"]

    def __str__(self) -> str:
        return self.address


class ServerShare(models.Model):
    """The requests that one worker may have in flight at a server, or still has."""

    server = models.ForeignKey(AskedServer, on_delete=models.CASCADE, related_name="shares")
    worker = models.CharField(max_length=200, help_text="As on its leases")
    wish = models.PositiveIntegerField(help_text="The most that it would send at a time")
    held = models.PositiveIntegerField(default=0)
    seen_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["server", "worker"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["server", "worker"], name="one_share_of_a_server")]

    def __str__(self) -> str:
        return f"{self.worker}: {self.held}"
