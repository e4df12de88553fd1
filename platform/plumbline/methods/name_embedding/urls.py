"""Addresses of the page of embeddings of names."""

from django.urls import path

from plumbline.methods.name_embedding.page import run_name_embeddings, run_name_embeddings_csv

urlpatterns = [
    path("runs/<int:number>/name-embeddings/", run_name_embeddings, name="run_name_embeddings"),
    path("runs/<int:number>/name-embeddings/csv/", run_name_embeddings_csv, name="run_name_embeddings_csv"),
]
