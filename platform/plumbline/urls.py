"""Addresses. The admin is the only page of this release; the health check needs no login."""

from django.contrib import admin
from django.urls import path
from django.views.generic import RedirectView

from plumbline.health import health

admin.site.site_header = "Plumbline"
admin.site.site_title = "Plumbline"
admin.site.index_title = "Vocabularies, audits and results"

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    path("health/", health),
]
