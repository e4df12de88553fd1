"""The admin of the rules of sign-offs: an admin chooses which conditions are asked for."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from plumbline.findings.models import SignOffRule


@admin.register(SignOffRule)
class SignOffRuleAdmin(ModelAdmin):
    list_display = ("__str__", "is_active", "number")
    readonly_fields = ("condition",)
    fields = ("condition", "is_active", "number")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
