"""Runs with their snapshots, phases and shards."""

from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from plumbline.audits.models.plans import Plan
from plumbline.audits.states import Priority, Queue, RunState, WorkState
from plumbline.spec.reference import answers_in_text

MOST_ATTEMPTS = 3
PLANNING = "planning"


class Snapshot(models.Model):
    """Frozen content, identified by its digest and shared by all runs that use it."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    content = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.sha256[:12]


class Runs(models.QuerySet["Run"]):
    """Queries of runs."""

    def top_level(self) -> Self:
        """Exclude the small runs of added words, which appear in the table of the run that they extend."""
        return self.filter(added_word__isnull=True)


class Run(models.Model):
    """One execution of a frozen spec on one model. After the launch it reads no vocabulary."""

    name = models.CharField(max_length=200)
    probe = models.CharField(max_length=50)
    model = models.CharField(max_length=500, help_text="The reference as launched")
    plan = models.ForeignKey(Plan, null=True, blank=True, on_delete=models.SET_NULL, related_name="runs")
    spec = models.JSONField(help_text="Parameters, references and digests; the lists lie in snapshots")
    snapshots = models.ManyToManyField(Snapshot, related_name="runs", blank=True)
    state = models.CharField(max_length=12, choices=RunState.choices, default=RunState.PLANNING)
    owner = models.CharField(
        max_length=200, blank=True, help_text="The process of an inline run: host, pid, start; empty: any worker's"
    )
    priority = models.PositiveSmallIntegerField(choices=Priority.choices, default=Priority.INTERACTIVE)
    place = models.IntegerField(
        null=True,
        blank=True,
        help_text="Before all runs of its priority without one, the lowest first; set by a person",
    )
    served_at = models.DateTimeField(null=True, blank=True, help_text="When a worker last worked on it")
    reuse = models.BooleanField(default=True, help_text="Copy the records of done shards with the same content key")
    planned_items = models.BigIntegerField(null=True, blank=True)
    provenance = models.JSONField(default=dict, blank=True, help_text="Revisions, digests, versions, device, threads")
    error = models.TextField(blank=True, help_text="What failed, in one line")
    expected = models.BooleanField(default=False, help_text="The error is the input's fault and names the remedy")
    traceback = models.TextField(blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = Runs.as_manager()

    class Meta:
        ordering: ClassVar = ["-id"]
        indexes: ClassVar = [models.Index(fields=["state"], name="run_state")]
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(state__in=RunState.values), name="run_state_is_known")
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {self.name}"

    @property
    def subject(self) -> str:
        """The model as sentences about this run name it: also how it was asked, if not plainly."""
        return f"{self.model} with Self-Debias" if (self.spec or {}).get("self_debias") else self.model

    @property
    def is_in_text(self) -> bool:
        """Whether its model answers in text: that of an endpoint, or one that writes its answers."""
        return answers_in_text(self.model) or bool(((self.spec or {}).get("params") or {}).get("generate"))


class Leased(models.Model):
    """Work that one worker at a time may do. The lease decides which one, not the messages."""

    state = models.CharField(max_length=8, choices=WorkState.choices, default=WorkState.WAITING)
    token = models.UUIDField(null=True, blank=True, help_text="Fencing token of the lease; stays when the work is done")
    leased_by = models.CharField(max_length=200, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    seconds = models.FloatField(null=True, blank=True, help_text="Time that the work took")
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class Phase(Leased):
    """Planning, a phase of the probe, the summary or the comparison.

    A sharded phase is done when all its shards are.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="phases")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    sharded = models.BooleanField()
    queue = models.CharField(max_length=8, choices=Queue.choices, default=Queue.GPU)

    class Meta:
        ordering: ClassVar = ["run", "position"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "position"], name="phase_position")]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.name}"

    @property
    def plans(self) -> bool:
        """Whether the phase creates the shards of the next one: "planning", or "planning asking"."""
        return self.name.split(" ")[0] == PLANNING


class Shard(Leased):
    """A part of a phase's items, which one transaction executes and stores."""

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="shards")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="shards")
    number = models.PositiveIntegerField(help_text="Counts through the run; part of the records' ids")
    key = models.CharField(max_length=64, help_text="Content key: equal keys give equal records")
    items = models.JSONField(help_text="What the probe needs to execute it")
    # null: unknown before the shard is done, which sets the true number.
    planned_rows = models.JSONField(help_text="Rows that it must write, by table")
    size = models.PositiveIntegerField(default=0, help_text="Rows that it must write, over all tables")
    reused_from = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    rows_reused = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Of its rows: from earlier runs; stays when these go"
    )

    class Meta:
        ordering: ClassVar = ["run", "number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "number"], name="shard_number")]
        indexes: ClassVar = [
            models.Index(fields=["key"], name="shard_done_key", condition=models.Q(state=WorkState.DONE)),
            models.Index(fields=["phase", "state"], name="shard_phase_state"),
            # For /metrics: what was done lately, is held now, and was begun more than once, among all shards of all
            # years. A renewed lease changes no indexed field.
            models.Index(
                fields=["run"], name="shard_held", condition=models.Q(state=WorkState.READY, token__isnull=False)
            ),
            models.Index(fields=["done_at"], name="shard_done_at", include=["size"]),
            models.Index(fields=["attempts"], name="shard_repeated", condition=models.Q(attempts__gt=1)),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}/{self.number}"
