"""Requested comparisons of padding texts."""

from django.contrib import admin
from unfold.admin import ModelAdmin

from plumbline.audits.admin.read_only import ReadOnly
from plumbline.audits.models import PaddingComparison


@admin.register(PaddingComparison)
class PaddingComparisonAdmin(ReadOnly, ModelAdmin):
    """The list of requests with their results. The runs' pages of known biases show the comparison itself."""

    list_display = ("__str__", "run", "rows", "asked_by", "asked_at", "error")
    list_select_related = ("run", "asked_by")
    search_fields = ("run__name",)
    fields = ("run", "runs", "rows", "error", "asked_by", "asked_at", "attempts", "leased_by", "seconds", "done_at")

    @admin.display(description="rows of the answer")
    def rows(self, asked: PaddingComparison) -> str:
        return str(len(asked.found)) if asked.answered else "waits for a worker"
