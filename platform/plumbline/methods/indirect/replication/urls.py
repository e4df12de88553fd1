"""Addresses of the page of known biases."""

from django.urls import path

from plumbline.methods.indirect.replication.page import known_ask, known_biases, known_csv

urlpatterns = [
    path("runs/<int:number>/known/", known_biases, name="run_known"),
    path("runs/<int:number>/known/ask/", known_ask, name="run_known_ask"),
    path("runs/<int:number>/known/<slug:table>/csv/", known_csv, name="run_known_csv"),
]
