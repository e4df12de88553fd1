"""The admin of laws and standards: admins curate what a report is said to cover of each point."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from plumbline.audits.admin.read_only import ReadOnly
from plumbline.reports.models import Evidence, Framework, MappingVersion, Provision


@admin.register(Framework)
class FrameworkAdmin(ModelAdmin):
    """Nothing is deleted: what no report should have is switched off."""

    list_display = ("title", "issuer", "as_of", "is_active")
    list_filter = ("is_active",)
    search_fields = ("title", "slug")
    fields = ("slug", "title", "issuer", "as_of", "source", "note", "position", "is_active")


@admin.register(Provision)
class ProvisionAdmin(ModelAdmin):
    list_display = ("number", "title", "framework", "at_most", "is_active")
    list_filter = ("framework", "at_most", "is_active")
    search_fields = ("number", "title", "lacks")
    fields = ("framework", "number", "title", "at_most", "needs", "lacks", "position", "is_active")

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the evidence as boxes. Django's own field for arrays breaks on text with a percent sign."""
        if db_field.name not in ("needs", "supports"):
            return super().formfield_for_dbfield(db_field, request, **kwargs)
        boxes = forms.CheckboxSelectMultiple
        return forms.MultipleChoiceField(
            choices=Evidence.choices, required=False, widget=boxes, help_text=db_field.help_text
        )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found: QuerySet[Any] = super().get_queryset(request)
        return found.select_related("framework")


@admin.register(MappingVersion)
class MappingVersionAdmin(ReadOnly, ModelAdmin):
    list_display = ("__str__", "created_at")
    fields: ClassVar = ["sha256", "created_at", "content"]
    readonly_fields: ClassVar = ["sha256", "created_at", "content"]
