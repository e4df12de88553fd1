"""Requested tests of the words of lists."""

from django.contrib import admin
from unfold.admin import ModelAdmin

from plumbline.audits.admin.read_only import ReadOnly
from plumbline.audits.models import WordTest


@admin.register(WordTest)
class WordTestAdmin(ReadOnly, ModelAdmin):
    """The list of requests. The list's page of confounds shows the result."""

    list_display = ("__str__", "kind", "state", "asked_by", "asked_at", "error")
    list_select_related = ("asked_by",)
    search_fields = ("slug",)
    fields = ("kind", "slug", "key", "found", "error", "asked_by", "asked_at", "attempts", "leased_by", "seconds")
