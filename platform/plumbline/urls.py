"""Addresses. The admin is the only page of this release."""

from django.contrib import admin
from django.urls import path

admin.site.site_header = "Plumbline"
admin.site.site_title = "Plumbline"
admin.site.index_title = "Vocabularies, audits and results"

urlpatterns = [path("admin/", admin.site.urls)]
