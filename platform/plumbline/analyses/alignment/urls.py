"""Addresses of the pages of agreement with people."""

from django.urls import path

from plumbline.analyses.alignment.page import alignment
from plumbline.analyses.alignment.profile_page import profile, profile_csv, profile_svg

urlpatterns = [
    path("runs/<int:number>/profile/", profile, name="profile"),
    path("runs/<int:number>/profile/csv/", profile_csv, name="profile_csv"),
    path("runs/<int:number>/profile/svg/", profile_svg, name="profile_svg"),
    path("runs/<int:number>/people/", alignment, name="alignment"),
]
