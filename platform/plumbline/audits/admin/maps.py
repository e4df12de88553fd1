"""Requested maps of targets."""

from django.contrib import admin
from unfold.admin import ModelAdmin

from plumbline.audits.admin.read_only import ReadOnly
from plumbline.audits.models import MapRequest


@admin.register(MapRequest)
class MapRequestAdmin(ReadOnly, ModelAdmin):
    """The list of requests with their results. The run's page shows the map itself."""

    list_display = ("run", "method", "statistic", "category", "placed", "asked_by", "asked_at", "error")
    list_filter = ("method",)
    list_select_related = ("run", "asked_by")
    search_fields = ("run__name", "statistic", "category")
    fields = (
        "run", "statistic", "variant", "category", "method", "parameter", "seed", "placed", "features",
        "features_left_out", "parameter_used", "told", "error", "asked_by", "asked_at", "attempts", "leased_by",
        "seconds", "done_at",
    )  # fmt: skip

    @admin.display(description="targets on it")
    def placed(self, asked: MapRequest) -> str:
        return str(len(asked.positions)) if asked.answered else "waits for a worker"
