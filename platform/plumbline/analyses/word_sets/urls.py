"""Addresses of the page of effect sizes."""

from django.urls import path

from plumbline.analyses.word_sets.page import run_effects, run_effects_csv

urlpatterns = [
    path("runs/<int:number>/effects/", run_effects, name="run_effects"),
    path("runs/<int:number>/effects/<slug:table>/csv/", run_effects_csv, name="run_effects_csv"),
]
