"""Addresses of the page of attribute preference."""

from django.urls import path

from plumbline.methods.association.preference_page import run_preference, run_preference_csv

urlpatterns = [
    path("runs/<int:number>/preference/", run_preference, name="run_preference"),
    path("runs/<int:number>/preference/csv/", run_preference_csv, name="run_preference_csv"),
]
