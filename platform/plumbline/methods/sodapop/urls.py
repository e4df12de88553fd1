"""Addresses of the pages of SODAPOP."""

from django.urls import path

from plumbline.methods.sodapop.error_drilldown_page import misled, misled_csv
from plumbline.methods.sodapop.pages import names, names_csv, words, words_compared, words_csv

urlpatterns = [
    path("runs/<int:number>/words/", words, name="run_words"),
    path("runs/<int:number>/words/csv/", words_csv, name="run_words_csv"),
    path("runs/<int:number>/words/compare/", words_compared, name="run_words_compared"),
    path("runs/<int:number>/names/", names, name="run_names"),
    path("runs/<int:number>/names/csv/", names_csv, name="run_names_csv"),
    path("runs/<int:number>/misled/", misled, name="run_misled"),
    path("runs/<int:number>/misled/csv/", misled_csv, name="run_misled_csv"),
]
