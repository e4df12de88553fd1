"""Prior beliefs: what readers expect of a target and a feature before they see the score (thesis, section 4.1)."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from plumbline.audits.models import Run

LONGEST_NOTE = 500


class Expectation(models.TextChoices):
    TOGETHER = "together", "tied to the same first names"
    NEITHER = "neither", "no tie either way"
    APART = "apart", "tied to other first names"


class PriorBelief(models.Model):
    """A prior belief as typed. After seeing the score, a person can neither change nor withdraw it."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="prior_beliefs")
    model = models.CharField(max_length=500, help_text="The run's, as launched")
    category = models.CharField(max_length=300, blank=True, help_text="The list of the feature")
    target = models.CharField(max_length=200)
    feature = models.CharField(max_length=200)
    expects = models.CharField(max_length=8, choices=Expectation.choices)
    note = models.CharField(max_length=LONGEST_NOTE, blank=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="prior_beliefs")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "review"
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["run", "person", "category", "target", "feature"], name="one_belief_of_a_person"
            ),
            models.CheckConstraint(condition=models.Q(expects__in=Expectation.values), name="expectation_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.target} and {self.feature}: {self.get_expects_display()}"
