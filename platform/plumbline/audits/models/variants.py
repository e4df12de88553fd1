"""Variants of models: what was made of a model to take stereotypes out of it."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from plumbline.audits.models.plans import ModelUnderAudit
from plumbline.spec.variant import METHOD_TITLES, VariantCard


class Variant(models.Model):
    """A variant and its card. The card stays when the files are removed, and no other variant takes its name."""

    slug = models.SlugField(max_length=100, unique=True, help_text="Its name in specs: variant:SLUG")
    model = models.OneToOneField(
        ModelUnderAudit,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="variant",
        help_text="Its own entry among the models under audit",
    )
    parent = models.ForeignKey(
        ModelUnderAudit, null=True, blank=True, on_delete=models.SET_NULL, related_name="variants"
    )
    method = models.CharField(max_length=20, choices=list(METHOD_TITLES.items()))
    digest = models.CharField(max_length=64, help_text="SHA-256 over weights, config and projections; runs record it")
    parent_digest = models.CharField(max_length=64)
    card = models.JSONField(help_text="Method, parent, words, text, params, seed, and what was measured")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    removed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    removed_at = models.DateTimeField(null=True, blank=True, help_text="When its files were removed")

    class Meta:
        ordering: ClassVar = ["slug"]

    def __str__(self) -> str:
        return self.reference

    @property
    def reference(self) -> str:
        return f"variant:{self.slug}"

    @property
    def made(self) -> VariantCard:
        return VariantCard.model_validate(self.card)
