"""Tests of the words of lists that people asked for."""

from django.contrib import admin
from unfold.admin import ModelAdmin

from plumbline.audits.admin.read_only import ReadOnly
from plumbline.audits.models import WordTest


@admin.register(WordTest)
class WordTestAdmin(ReadOnly, ModelAdmin):
    """Who asked, and what came of it; the answer itself is on the list's page of confounds."""

    list_display = ("__str__", "kind", "state", "asked_by", "asked_at", "error")
    list_select_related = ("asked_by",)
    search_fields = ("slug",)
    fields = ("kind", "slug", "key", "found", "error", "asked_by", "asked_at", "attempts", "leased_by", "seconds")
