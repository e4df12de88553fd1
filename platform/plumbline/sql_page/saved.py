"""Saved SQL queries, and each person's latest queries."""

from typing import ClassVar

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models, transaction
from django.db.models import Case, Exists, Q, QuerySet, When

LONGEST_QUESTION = 20_000
REMEMBERED = 30
PERMISSIONS = "django.contrib.auth.backends.ModelBackend"


class SavedQuery(models.Model):
    """A saved SQL query, visible to its owner and admins, or to everybody."""

    title = models.CharField(max_length=120)
    description = models.TextField(
        max_length=1_000, blank=True, help_text="What it answers, and how to read the answer"
    )
    text = models.TextField("SQL", max_length=LONGEST_QUESTION)
    shared = models.BooleanField("everybody sees it", default=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="saved_queries")
    created_at = models.DateTimeField(auto_now_add=True)
    modified_at = models.DateTimeField(auto_now=True)

    class Meta:
        app_label = "review"
        verbose_name_plural = "saved queries"
        ordering: ClassVar = ["title", "id"]

    def __str__(self) -> str:
        return self.title

    @classmethod
    def seen_by(cls, person: int) -> QuerySet["SavedQuery"]:
        """Return the person's own queries first, then shared ones. Users who may change others' queries see all."""
        trusted = get_user_model().objects.with_perm("review.change_savedquery", backend=PERMISSIONS)
        seen = cls.objects.filter(Q(owner=person) | Q(shared=True) | Exists(trusted.filter(pk=person)))
        own_first = Case(When(owner=person, then=0), default=1)
        return seen.order_by(own_first, "title", "id").select_related("owner")


class AskedQuery(models.Model):
    """One of a person's latest queries. Each text is stored once."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="asked_queries")
    text = models.TextField()
    asked_at = models.DateTimeField(auto_now=True)
    seconds = models.FloatField(null=True, blank=True, help_text="Empty: there was no answer")

    class Meta:
        app_label = "review"
        default_permissions = ()
        ordering: ClassVar = ["-asked_at", "-id"]

    def __str__(self) -> str:
        return self.text

    @classmethod
    def remember(cls, person: int, text: str, seconds: float | None) -> None:
        """Put the query first and delete all but the latest REMEMBERED."""
        own = cls.objects.filter(person=person)
        with transaction.atomic():
            own.filter(text=text).delete()
            cls.objects.create(person_id=person, text=text, seconds=seconds)
            own.filter(pk__in=own.values("pk")[REMEMBERED:]).delete()
