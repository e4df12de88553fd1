"""Addresses of reports. Each file has its own, since browsers and logs show it."""

from django.urls import path

from plumbline.reports.rendering import HTML, PDF
from plumbline.reports.views import comparison_report, law, model_report, run_report

urlpatterns = [
    path("law/", law, name="law"),
    *(
        pattern
        for kind in (HTML, PDF)
        for pattern in (
            path(f"runs/<int:number>/report/{kind}/", run_report, {"kind": kind}, name=f"run_report_{kind}"),
            path(f"models/report/{kind}/", model_report, {"kind": kind}, name=f"model_report_{kind}"),
            path(f"compare/report/{kind}/", comparison_report, {"kind": kind}, name=f"comparison_report_{kind}"),
        )
    ),
]
