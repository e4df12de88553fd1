"""The addresses of this room's pages."""

from django.urls import path

from plumbline.methods.pairs.items_page import run_pair_items
from plumbline.methods.pairs.page import run_pairs, run_pairs_csv

urlpatterns = [
    path("runs/<int:number>/pairs/", run_pairs, name="run_pairs"),
    path("runs/<int:number>/pairs/csv/", run_pairs_csv, name="run_pairs_csv"),
    path("runs/<int:number>/pairs/sentences/", run_pair_items, name="run_pair_items"),
]
