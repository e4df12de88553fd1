"""Addresses of the explorer and the items."""

from django.urls import path

from plumbline.analyses.explorer.cell_page import cell
from plumbline.analyses.explorer.grid_page import explorer, explorer_csv, explorer_data
from plumbline.analyses.explorer.items_page import items

urlpatterns = [
    path("runs/<int:number>/explorer/", explorer, name="explorer"),
    path("runs/<int:number>/explorer/data/", explorer_data, name="explorer_data"),
    path("runs/<int:number>/explorer/csv/", explorer_csv, name="explorer_csv"),
    path("runs/<int:number>/cell/", cell, name="cell"),
    path("runs/<int:number>/items/", items, name="items"),
]
