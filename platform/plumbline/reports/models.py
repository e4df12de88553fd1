"""Laws and standards, their points with what a report gives to each, and the versions of this mapping."""

from typing import ClassVar

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models

from plumbline.vocab.fields import ProseField, WordField
from plumbline.vocab.models.recorded import recorded


class Status(models.TextChoices):
    """How much of a point the evidence in a report covers. It says nothing about whether a duty is met."""

    COVERED = "covered", "Covered"
    PARTLY = "partly", "Partly covered"
    NOT_COVERED = "not covered", "Not covered"


class Evidence(models.TextChoices):
    """What a report may hold. Whether it does is found out from its runs."""

    FINISHED = "finished", "Each run is finished and summarised"
    TESTED = "tested", "Some effect could have been found"
    READABLE = "readable", "No concern about the scores is known"
    FINDINGS = "findings", "The findings are written from the latest summary"
    JUDGED = "judged", "People judged every finding"
    LAUNCHER = "launcher", "It is known who launched each run"
    SIGNED = "signed", "A sign-off stands on the latest summary of each run"
    PROVENANCE = "provenance", "Model, software and device are recorded"
    SOURCES = "sources", "Each list of words names its source, and says what is known of its licence"
    ABILITY = "ability", "An accuracy or a perplexity is measured"
    REPEATED = "repeated", "The same audit ran more than once on the model"
    COMPARED = "compared", "Two runs are compared, and changes are tested"


@recorded
class Framework(models.Model):
    """A law or a standard, as its text was on one day."""

    slug = models.SlugField(max_length=60, unique=True)
    title = WordField(max_length=200)
    issuer = WordField(max_length=200, blank=True)
    as_of = models.DateField(help_text="The date of the text that was mapped")
    source = models.CharField(max_length=500, validators=[URLValidator(["https", "http"])], help_text="Its address")
    note = ProseField(blank=True, help_text="What this mapping of it leaves out")
    position = models.PositiveSmallIntegerField(default=0)
    is_active = models.BooleanField("in reports", default=True)
    seeded = models.CharField(max_length=64, blank=True, editable=False, help_text="Digest of the data as last loaded")

    class Meta:
        ordering: ClassVar = ["position", "slug"]
        default_permissions = ("view", "add", "change")

    def __str__(self) -> str:
        return self.title


@recorded
class Provision(models.Model):
    """One point of a law or standard: which evidence of a report helps with it, up to which status, and what lacks."""

    CALLED: ClassVar = ("framework", "number")

    framework = models.ForeignKey(Framework, on_delete=models.CASCADE, related_name="provisions")
    number = WordField(max_length=60, help_text="As the text numbers it, such as: Article 10(2)(f)")
    title = WordField(max_length=200, help_text="In few own words")
    at_most = models.CharField(
        max_length=12,
        choices=Status.choices,
        default=Status.PARTLY,
        help_text="The status if a report has all of the evidence",
    )
    needs = ArrayField(
        models.CharField(max_length=12, choices=Evidence.choices),
        default=list,
        blank=True,
        help_text="The evidence without which the point is not covered",
    )
    supports = ArrayField(
        models.CharField(max_length=12, choices=Evidence.choices),
        default=list,
        blank=True,
        help_text="More evidence. The report names what is missing, and covers the point partly",
    )
    lacks = ProseField(help_text="Why the status is no better: what the point asks for and no report gives")
    position = models.PositiveSmallIntegerField(default=0)
    is_active = models.BooleanField("in reports", default=True)
    seeded = models.CharField(max_length=64, blank=True, editable=False, help_text="Digest of the data as last loaded")

    class Meta:
        ordering: ClassVar = ["framework", "position", "number"]
        default_permissions = ("view", "add", "change")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["framework", "number"], name="provision_once"),
            models.CheckConstraint(condition=models.Q(at_most__in=Status.values), name="status_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.title}"

    def clean(self) -> None:
        """Refuse a status that rests on nothing."""
        super().clean()
        if self.at_most != Status.NOT_COVERED and not self.needs:
            raise ValidationError({"needs": "Name the evidence on which this status rests, or choose “Not covered”."})


class MappingVersion(models.Model):
    """The whole mapping as a report used it, by its digest. It never changes."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    content = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True, help_text="When a report first used it")

    class Meta:
        ordering: ClassVar = ["-created_at"]
        default_permissions = ("view",)
        triggers: ClassVar = [
            pgtrigger.Protect(name="version_stays", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.sha256[:12]
