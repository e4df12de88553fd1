"""Recurring audits: schedules, their launches, comparisons with the run before, and notices."""

from datetime import UTC, datetime
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models, transaction

from plumbline.audits import clock
from plumbline.audits.models.plans import ModelUnderAudit, Plan
from plumbline.audits.models.runs import Run
from plumbline.audits.scheduling import cron, timing
from plumbline.spec.errors import InputError
from plumbline.vocab.models.recorded import recorded


@recorded
class Schedule(models.Model):
    """A plan that is launched at the times of a cron text, on one or more models."""

    CALLED: ClassVar = ("plan", "cron", "zone")

    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="schedules")
    audited_models = models.ManyToManyField(
        ModelUnderAudit, blank=True, related_name="schedules", help_text="None: the model of the plan itself"
    )
    cron = models.CharField(max_length=100, help_text="Minute, hour, day of month, month, day of week: 0 6 * * 1")
    zone = models.CharField(max_length=50, default="UTC", help_text="The time zone of the cron text: Europe/Berlin")
    paused = models.BooleanField(default=False)
    notify = models.TextField(blank=True, help_text="E-mail addresses, one a line: told what moved, and what failed")
    next_due_at = models.DateTimeField(null=True, blank=True, help_text="Empty while paused")
    last_due_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    modified_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["plan", "pk"]
        indexes: ClassVar = [
            models.Index(fields=["next_due_at"], name="schedule_due", condition=models.Q(paused=False))
        ]

    def __str__(self) -> str:
        return f"{self.plan}: {self.in_words()}"

    def in_words(self) -> str:
        """Return when it is due, such as "every Monday at 06:00, Europe/Berlin"."""
        return timing.sentence(self.cron, self.zone)

    def next_due(self) -> str:
        """Return its next due time in its zone; "paused" while it is."""
        return "paused" if self.paused else self.local_time(self.next_due_at)

    def local_time(self, moment: datetime | None) -> str:
        """Return a moment in the schedule's zone, such as "2026-11-30 06:00, Europe/Berlin"; "-" for none.

        A zone that this machine does not know any more gives UTC.
        """
        if moment is None:
            return "-"
        try:
            return f"{moment.astimezone(cron.find_zone(self.zone)):%Y-%m-%d %H:%M}, {self.zone}"
        except InputError:
            return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M}, UTC"

    @transaction.atomic
    def save(self, *args: Any, **options: Any) -> None:
        """Save the schedule and set its next due time by the server's clock.

        Raises InputError for an invalid cron text or zone.
        """
        known = Schedule.objects.select_for_update(of=("self",)).filter(pk=self.pk).first()
        same = known is not None and (known.cron, known.zone) == (self.cron, self.zone)
        self.last_due_at = known.last_due_at if known else None
        self.next_due_at = known.next_due_at if known and same else None
        if self.paused:
            self.next_due_at = None
        elif self.next_due_at is None:
            self.next_due_at = cron.next_after(self.cron, self.zone, clock.now())
        if fields := options.get("update_fields"):
            options["update_fields"] = {*fields, "next_due_at"}
        super().save(*args, **options)

    def come_back(self) -> None:
        """Prepare the undo of a removal: missed times stay missed, and a deleted creator is cleared."""
        self.next_due_at = None if self.paused else cron.next_after(self.cron, self.zone, clock.now())
        if self.created_by_id and not get_user_model().objects.filter(pk=self.created_by_id).exists():
            self.created_by = None

    def came_back(self, left_out: int) -> list[str]:
        """Return messages for the person who undid a removal.

        `left_out` is the number of its models that no longer exist.
        """
        told = ["Its launches from before its removal do not come back; their runs and notices stay."]
        if left_out and not self.audited_models.exists():
            told.append("None of its models is left: it audits the model of its plan.")
        return told


@recorded
class AuditedModel(Schedule.audited_models.through):  # type: ignore[misc, name-defined] # Django makes it
    """A model that a schedule audits, as a row whose changes are recorded with the schedule."""

    CALLED: ClassVar = ("modelunderaudit",)

    class Meta:
        proxy = True
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.modelunderaudit} in {self.schedule}"


class Outcome(models.TextChoices):
    LAUNCHED = "launched", "Launched: a run was made"
    UNCHANGED = "unchanged", "Unchanged: every answer is known already, no run was made"
    REFUSED = "refused", "Refused: the plan cannot be launched; see the reason"


class Launch(models.Model):
    """The result of one due time of a schedule on one model. There is at most one, however many schedulers run."""

    schedule = models.ForeignKey(Schedule, on_delete=models.CASCADE, related_name="launches")
    due_at = models.DateTimeField()
    model = models.CharField(max_length=500, help_text="The reference as launched")
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    run = models.OneToOneField(Run, null=True, blank=True, on_delete=models.SET_NULL, related_name="launch")
    unchanged_since = models.ForeignKey(Run, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    missed = models.PositiveIntegerField(default=0, help_text="Due times before this one that nobody was there for")
    reason = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "launches"
        ordering: ClassVar = ["-due_at", "schedule", "model"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["schedule", "due_at", "model"], name="launch_once_per_due_time")
        ]

    def __str__(self) -> str:
        return f"{self.schedule} at {self.due_at:%Y-%m-%d %H:%M}: {self.outcome}"


class Comparison(models.Model):
    """The comparison of a finished run with the run before of the same plan and model.

    Its cells are the run's measures.
    """

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="comparison")
    previous = models.ForeignKey(Run, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    paired = models.BigIntegerField()
    only_previous = models.BigIntegerField()
    only_new = models.BigIntegerField()
    not_scorable = models.BigIntegerField()
    cells = models.PositiveIntegerField()
    moved = models.PositiveIntegerField(help_text="Cells whose q-value is below the level")
    also_differs = models.JSONField(default=list, help_text="What else than the model's answers changed")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"run {self.run_id} against run {self.previous_id}: {self.moved} of {self.cells} cells moved"


class Notice(models.Model):
    """A message to send. The transaction of its event writes it, and the sweep sends it."""

    schedule = models.ForeignKey(Schedule, null=True, on_delete=models.SET_NULL, related_name="notices")
    key = models.CharField(max_length=200, unique=True, help_text="What it tells of: no second notice is written")
    recipients = models.JSONField()
    subject = models.CharField(max_length=200)
    body = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True, help_text="Not before; empty: nothing more is tried")
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["-created_at"]
        indexes: ClassVar = [
            models.Index(fields=["retry_at"], name="notice_unsent", condition=models.Q(sent_at__isnull=True))
        ]

    def __str__(self) -> str:
        return self.subject
