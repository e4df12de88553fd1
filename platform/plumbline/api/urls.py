"""Addresses of the pages about the API. Its operations are in v1.py."""

from django.urls import path

from plumbline.api.pages import api_reference, token_list, token_make, token_revoke

urlpatterns = [
    path("api/", api_reference, name="api_reference"),
    path("api/tokens/", token_list, name="tokens"),
    path("api/tokens/make/", token_make, name="token_make"),
    path("api/tokens/<int:number>/revoke/", token_revoke, name="token_revoke"),
]
