"""Words that people added to finished runs."""

from django.contrib import admin
from unfold.admin import ModelAdmin

from plumbline.audits.admin.read_only import ReadOnly
from plumbline.audits.models import AddedWord


@admin.register(AddedWord)
class AddedWordAdmin(ReadOnly, ModelAdmin):
    """The list of words with the user who added each and the run that scored it."""

    list_display = ("word", "kind", "category", "run", "small", "added_by", "added_at", "removed_at")
    list_filter = ("kind",)
    list_select_related = ("run", "small", "added_by")
    search_fields = ("word", "run__name")
    fields = ("run", "small", "kind", "word", "category", "added_by", "added_at", "removed_at")
