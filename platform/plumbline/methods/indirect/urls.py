"""Addresses of the pages of the indirect score."""

from django.urls import include, path

from plumbline.methods.indirect.beliefs_page import indirect_belief_keep, indirect_beliefs, indirect_beliefs_csv
from plumbline.methods.indirect.cell_page import indirect_cell
from plumbline.methods.indirect.explorer_page import indirect, indirect_csv, indirect_data
from plumbline.methods.indirect.map_page import indirect_map, indirect_map_ask
from plumbline.methods.indirect.words_page import (
    indirect_word_add,
    indirect_word_give,
    indirect_word_take,
    indirect_words,
)

urlpatterns = [
    path("", include("plumbline.methods.indirect.replication.urls")),
    path("runs/<int:number>/indirect/", indirect, name="indirect"),
    path("runs/<int:number>/indirect/data/", indirect_data, name="indirect_data"),
    path("runs/<int:number>/indirect/csv/", indirect_csv, name="indirect_csv"),
    path("runs/<int:number>/indirect/cell/", indirect_cell, name="indirect_cell"),
    path("runs/<int:number>/indirect/map/", indirect_map, name="indirect_map"),
    path("runs/<int:number>/indirect/map/ask/", indirect_map_ask, name="indirect_map_ask"),
    path("runs/<int:number>/indirect/words/", indirect_words, name="indirect_words"),
    path("runs/<int:number>/indirect/words/add/", indirect_word_add, name="indirect_word_add"),
    path("runs/<int:number>/indirect/words/<int:word>/take/", indirect_word_take, name="indirect_word_take"),
    path("runs/<int:number>/indirect/words/<int:word>/give/", indirect_word_give, name="indirect_word_give"),
    path("runs/<int:number>/indirect/beliefs/", indirect_beliefs, name="indirect_beliefs"),
    path("runs/<int:number>/indirect/beliefs/keep/", indirect_belief_keep, name="indirect_belief_keep"),
    path("runs/<int:number>/indirect/beliefs/csv/", indirect_beliefs_csv, name="indirect_beliefs_csv"),
]
