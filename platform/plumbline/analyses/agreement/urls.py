"""Addresses of the page on the agreement of methods."""

from django.urls import path

from plumbline.analyses.agreement.page import method_agreement, method_agreement_ask

urlpatterns = [
    path("models/agreement/", method_agreement, name="method_agreement"),
    path("models/agreement/ask/", method_agreement_ask, name="method_agreement_ask"),
]
