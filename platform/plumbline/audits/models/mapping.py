"""Maps of a run's targets by their scores with all features of one list. Each map is computed once and stored."""

from typing import ClassVar

from django.db import models

from plumbline.audits.models.questions import Question
from plumbline.audits.models.runs import Run
from plumbline.audits.states import WorkState


class MapMethod(models.TextChoices):
    TSNE = "tsne", "t-SNE"
    ISOMAP = "isomap", "Isomap"
    UMAP = "umap", "UMAP"
    PCA = "pca", "Principal components"


class MapRequest(Question):
    """A request for a map: the fields that determine it, and the map when it is done."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="maps")
    statistic = models.CharField(max_length=100)
    variant = models.CharField(max_length=200, blank=True, help_text="Of the statistic; empty: its only one")
    category = models.CharField(max_length=100, blank=True, help_text="The list of the features")
    method = models.CharField(max_length=8, choices=MapMethod.choices)
    parameter = models.PositiveSmallIntegerField(
        default=0, help_text="Perplexity of t-SNE, neighbours of Isomap and UMAP; 0 for principal components"
    )
    seed = models.PositiveIntegerField(default=0)
    positions = models.JSONField(default=list, blank=True, help_text="[target, x, y] of each that has a place")
    left_out = models.JSONField(default=list, blank=True, help_text="[target, why it has no place]")
    features = models.PositiveIntegerField(null=True, blank=True, help_text="On which the map rests")
    features_left_out = models.PositiveIntegerField(null=True, blank=True, help_text="Without a score for some target")
    parameter_used = models.FloatField(null=True, blank=True, help_text="Lowered where there are too few targets")
    told = models.TextField(blank=True, help_text="What else a reader must know")
    explained = models.JSONField(default=list, blank=True, help_text="Shares of variance of the principal components")

    ASKED: ClassVar = ("run", "statistic", "variant", "category", "method", "parameter", "seed")

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["run", "statistic", "variant", "category", "method", "parameter", "seed"],
                condition=~models.Q(state=WorkState.DONE),
                name="one_open_request_of_a_map",
            ),
            models.CheckConstraint(condition=models.Q(method__in=MapMethod.values), name="map_method_is_known"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The request as text, for the worker that leased it."""
        return f"map of run {self.run_id} by {self.get_method_display()}"
