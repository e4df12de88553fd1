"""Requested agreements of methods."""

from django.contrib import admin
from unfold.admin import ModelAdmin

from plumbline.audits.admin.read_only import ReadOnly
from plumbline.audits.models import MethodAgreement


@admin.register(MethodAgreement)
class MethodAgreementAdmin(ReadOnly, ModelAdmin):
    """The list of requests. The model's page on the agreement of methods shows the result."""

    list_display = ("__str__", "state", "asked_by", "asked_at", "error")
    list_select_related = ("asked_by",)
    search_fields = ("model",)
    fields = ("model", "runs", "key", "found", "error", "asked_by", "asked_at", "attempts", "leased_by", "seconds")
