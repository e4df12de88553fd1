"""Addresses of the pages of agreement with people."""

from django.urls import path

from plumbline.analyses.alignment.page import alignment
from plumbline.analyses.alignment.profile_page import profile, profile_csv, profile_svg
from plumbline.analyses.alignment.replication.page import published_agreement, published_agreement_csv

urlpatterns = [
    path("runs/<int:number>/profile/", profile, name="profile"),
    path("runs/<int:number>/profile/csv/", profile_csv, name="profile_csv"),
    path("runs/<int:number>/profile/svg/", profile_svg, name="profile_svg"),
    path("runs/<int:number>/people/", alignment, name="alignment"),
    path("runs/<int:number>/people/published/", published_agreement, name="published_agreement"),
    path("runs/<int:number>/people/published/csv/", published_agreement_csv, name="published_agreement_csv"),
]
