"""Surveys, their wordings and links, and answers that wait for a release.

Nothing here holds a name, a network address or a time of day of a person who answers.
"""

import re
import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, validate_slug
from django.db import models


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, which have blank lines between them."""
    return [" ".join(one.split()) for one in re.split(r"\r?\n\s*\n", text) if one.strip()]


class SurveyWording(models.Model):
    """One version of the texts of a survey. A version never changes: an edit makes the next one."""

    slug = models.CharField(max_length=60, validators=[validate_slug])
    version = models.PositiveIntegerField()
    consent = models.TextField(max_length=5000, help_text="What people agree to before they begin")
    instruction = models.TextField(max_length=5000, help_text="Shown once, before the first group")
    familiarity = models.TextField(max_length=500, help_text="The first question about each group, with {group}")
    question = models.TextField(max_length=1000, help_text="Above the sliders of each group, with {group}")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "review"
        default_permissions = ("add",)
        ordering: ClassVar = ["slug", "-version"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["slug", "version"], name="wording_version_once")]

    def __str__(self) -> str:
        return f"{self.slug}, version {self.version}"

    @property
    def consent_paragraphs(self) -> list[str]:
        return paragraphs(self.consent)

    @property
    def instruction_paragraphs(self) -> list[str]:
        return paragraphs(self.instruction)

    def save(self, *arguments: Any, **options: Any) -> None:
        """Save a new version. Raises ValidationError for one that exists."""
        if not self._state.adding:
            raise ValidationError("A version of a wording stays as it is; save the next version.")
        super().save(*arguments, **options)


class Survey(models.Model):
    """A survey. Groups and pairs are frozen, so that an edited list does not change it."""

    slug = models.CharField(max_length=60, unique=True, validators=[validate_slug])
    title = models.CharField(max_length=120)
    contact = models.TextField(
        max_length=1000,
        blank=True,
        default="",
        db_default="",
        help_text="Who makes the survey, and whom people can ask",
    )
    wording = models.ForeignKey(SurveyWording, models.PROTECT, related_name="+")
    other_wording = models.ForeignKey(SurveyWording, models.PROTECT, null=True, blank=True, related_name="+")
    groups = models.JSONField(help_text="Of each group: label, and how the question calls it")
    pairs = models.JSONField(help_text="Left and right pole of each pair")
    groups_each = models.PositiveSmallIntegerField(validators=[MinValueValidator(2), MaxValueValidator(5)])
    repeated = models.PositiveSmallIntegerField(help_text="Pairs that each person rates twice")
    tolerance = models.PositiveSmallIntegerField(help_text="Points by which two ratings may differ and agree")
    least_agreement = models.FloatField()
    closed = models.BooleanField(default=False)
    shown = models.JSONField(default=dict, help_text="By wording and group: how often in each position")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "review"
        default_permissions = ("view", "add", "change", "delete")
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return self.title

    @property
    def is_pilot(self) -> bool:
        return self.other_wording_id is not None

    @property
    def wordings(self) -> list[SurveyWording]:
        return [self.wording, *([self.other_wording] if self.other_wording else [])]

    @property
    def names(self) -> dict[str, str]:
        """How the questions call each group, by label."""
        return {one["label"]: one["shown"] for one in self.groups}

    def list_slug(self, wording: SurveyWording) -> str:
        """Return the slug of the rating list with the released answers to a wording."""
        return f"{self.slug}-{'ab'[self.wordings.index(wording)]}" if self.is_pilot else self.slug


class SurveyInvitation(models.Model):
    """A link to a survey for people without an account. It can be limited, closed and revoked."""

    survey = models.ForeignKey(Survey, models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=43, unique=True)
    label = models.CharField(max_length=120, help_text="For you: whom it is for")
    limit = models.PositiveIntegerField(help_text="How many people may answer")
    farewell = models.CharField(
        max_length=500,
        blank=True,
        default="",
        db_default="",
        help_text="Shown to everybody at the end, such as a panel's completion code",
    )
    used = models.PositiveIntegerField(default=0)
    closed = models.BooleanField(default=False)
    revoked = models.BooleanField(default=False)
    minute = models.DateTimeField(null=True, help_text="The last minute in which somebody began")
    begun_in_minute = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "review"
        default_permissions = ()
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.survey_id}: {self.label}"


class Respondent(models.Model):
    """One person's way through a survey. `secret` is the digest of the code in the browser's cookie."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey(Survey, models.CASCADE, related_name="respondents")
    invitation = models.ForeignKey(
        SurveyInvitation, models.CASCADE, null=True, related_name="+", help_text="Empty once the answers are complete"
    )
    wording = models.ForeignKey(SurveyWording, models.PROTECT, related_name="+")
    secret = models.CharField(max_length=64, unique=True, null=True, help_text="Empty once the answers are complete")
    started_on = models.DateField()
    seed = models.PositiveBigIntegerField()
    order = models.JSONField(help_text="The labels of this person's groups, in the order shown")
    step = models.PositiveSmallIntegerField(default=0)
    checks = models.JSONField(default=dict, help_text="By attention check: whether the answer was right")
    agreement = models.FloatField(null=True, help_text="Share of repeated pairs that were rated alike")
    demographics = models.JSONField(default=dict)
    ended = models.BooleanField(default=False)
    faults = models.JSONField(default=list, help_text="Why the answers do not count; empty if they count")

    class Meta:
        app_label = "review"
        default_permissions = ()
        indexes: ClassVar = [models.Index(fields=["survey", "ended"], name="respondent_of_survey")]

    def __str__(self) -> str:
        return f"{self.survey_id}: {self.pk}"


class GroupAnswer(models.Model):
    """One person's ratings of one group, in the survey's order of pairs. A release moves them into the rating list."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    respondent = models.ForeignKey(Respondent, models.CASCADE, related_name="answers")
    group = models.CharField(max_length=200)
    familiarity = models.PositiveSmallIntegerField(help_text="0: does not know the group, to 4: very familiar")
    ratings = models.JSONField(help_text="Empty if the person does not know the group")
    seconds = models.PositiveIntegerField()

    class Meta:
        app_label = "review"
        default_permissions = ()
        constraints: ClassVar = [models.UniqueConstraint(fields=["respondent", "group"], name="group_answered_once")]

    def __str__(self) -> str:
        return f"{self.respondent_id}: {self.group}"


class SurveyRelease(models.Model):
    """A step in which answers became ratings. `about` has counts over at least five people each."""

    survey = models.ForeignKey(Survey, models.CASCADE, related_name="releases")
    wording = models.ForeignKey(SurveyWording, models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    made_on = models.DateField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    about = models.JSONField()

    class Meta:
        app_label = "review"
        default_permissions = ()
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["survey", "number"], name="release_number_once")]

    def __str__(self) -> str:
        return f"{self.survey_id}: release {self.number}"
