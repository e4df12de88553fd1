"""The admin of laws and standards: admins curate what a report is said to cover of each point."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from plumbline.reports.models import Framework, MappingVersion, Provision


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

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found: QuerySet[Any] = super().get_queryset(request)
        return found.select_related("framework")


@admin.register(MappingVersion)
class MappingVersionAdmin(ModelAdmin):
    list_display = ("__str__", "created_at")
    fields: ClassVar = ["sha256", "created_at", "content"]
    readonly_fields: ClassVar = ["sha256", "created_at", "content"]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
