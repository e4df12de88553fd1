"""Error rates of text classifiers that were fine-tuned from models under audit."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models


class ErrorRates(models.Model):
    """What `model error-rates` measured of one classifier. A row is never changed; a later one stands before it."""

    classifier = models.CharField(max_length=500, help_text="The reference of the classifier")
    base = models.CharField(max_length=500, blank=True, help_text="What it was fine-tuned from, if its folder tells")
    before = models.CharField(max_length=500, blank=True, help_text="The classifier of the parent")
    card = models.JSONField(help_text="Sentences, rates, differences and changes")
    measured_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        verbose_name_plural = "error rates"
        indexes: ClassVar = [
            models.Index(fields=["classifier"], name="error_rates_classifier"),
            models.Index(fields=["base"], name="error_rates_base"),
        ]

    def __str__(self) -> str:
        return self.classifier

    @classmethod
    def keep(cls, card: Mapping[str, Any]) -> "ErrorRates":
        """Store a card of `workers.training.error_rates`."""
        before = card.get("before", {}).get("model", {}).get("reference", "")
        own = card["model"]
        return cls.objects.create(classifier=own["reference"], base=own["base"], before=before, card=dict(card))

    @property
    def shown_with(self) -> str:
        """The model whose page at the desk shows them: what people know is the base, not a folder of a training."""
        return self.base or self.classifier
