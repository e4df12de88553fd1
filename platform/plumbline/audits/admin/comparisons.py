"""Requested comparisons of two runs."""

from django.contrib import admin
from unfold.admin import ModelAdmin

from plumbline.audits.admin.read_only import ReadOnly
from plumbline.audits.models import ComparisonRequest


@admin.register(ComparisonRequest)
class ComparisonRequestAdmin(ReadOnly, ModelAdmin):
    """The list of requests with their results. Comparisons with a plan's last run are rows of Comparison instead."""

    list_display = ("__str__", "first", "second", "verdict", "cells", "moved", "asked_by", "asked_at", "error")
    list_select_related = ("first", "second", "asked_by")
    search_fields = ("first__name", "second__name")
    fields = (
        "first", "second", "verdict", "error", "paired", "only_previous", "only_new", "not_scorable", "cells", "moved",
        "also_differs", "asked_by", "asked_at", "attempts", "leased_by", "seconds", "done_at",
    )  # fmt: skip

    @admin.display(description="comparison")
    def verdict(self, asked: ComparisonRequest) -> str:
        if not asked.answered:
            return "waits for a worker" if asked.token is None else "a worker is at it"
        return "could not be made" if asked.error else "made"
