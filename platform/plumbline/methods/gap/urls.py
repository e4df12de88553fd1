"""Addresses of the pages of pronoun resolution."""

from django.urls import path

from plumbline.methods.gap.page import run_passages, run_pronouns, run_pronouns_csv

urlpatterns = [
    path("runs/<int:number>/pronouns/", run_pronouns, name="run_pronouns"),
    path("runs/<int:number>/pronouns/passages/", run_passages, name="run_passages"),
    path("runs/<int:number>/pronouns/<slug:table>/csv/", run_pronouns_csv, name="run_pronouns_csv"),
]
