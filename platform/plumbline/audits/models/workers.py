"""The living processes (workers and scheduler), each with its heartbeat."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from plumbline.audits.models.runs import Run


class Role(models.TextChoices):
    WORKER = "worker", "Worker: executes runs"
    SCHEDULER = "scheduler", "Scheduler: launches what is due, sends lost messages again"


class WorkerState(models.TextChoices):
    STARTING = "starting", "Starting: loads what it computes with"
    IDLE = "idle", "Idle: waits for work"
    WORKING = "working", "Working"


class WorkerProcess(models.Model):
    """One process. It counts as alive if its last heartbeat is recent by the server's clock."""

    name = models.CharField(max_length=200, unique=True, help_text="Host, pid and start: the name on its leases")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.WORKER)
    queues = ArrayField(models.CharField(max_length=8), default=list, blank=True)
    device = models.CharField(max_length=10, blank=True, help_text="cpu or cuda")
    state = models.CharField(max_length=8, choices=WorkerState.choices, default=WorkerState.IDLE)
    run = models.ForeignKey(Run, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    doing = models.CharField(max_length=60, blank=True, help_text="Phase or shard")
    doing_since = models.DateTimeField(null=True, blank=True, help_text="Since when it does this, or waits")
    items = models.BigIntegerField(default=0, help_text="Items of that work that are done by now")
    counted_items = models.BigIntegerField(default=0, db_default=0, help_text="Items after the first ones of that work")
    counted_seconds = models.FloatField(default=0, db_default=0, help_text="Seconds that these items took")
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "worker processes"
        ordering: ClassVar = ["role", "name"]

    def __str__(self) -> str:
        return self.name
