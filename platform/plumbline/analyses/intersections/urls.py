"""Addresses of the page of intersections."""

from django.urls import path

from plumbline.analyses.intersections.page import intersections, intersections_csv

urlpatterns = [
    path("runs/<int:number>/intersections/", intersections, name="run_intersections"),
    path("runs/<int:number>/intersections/<slug:table>/csv/", intersections_csv, name="run_intersections_csv"),
]
