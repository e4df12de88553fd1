"""The addresses of this room's pages."""

from django.urls import path

from plumbline.methods.bbq.board_page import run_board, run_board_csv
from plumbline.methods.bbq.comparison_page import board_svg, boards, boards_csv, costs_svg
from plumbline.methods.bbq.items_page import run_bbq_items
from plumbline.methods.bbq.labels_page import (
    run_labels,
    run_labels_csv,
    run_labels_svg,
    run_template,
    run_templates,
    run_templates_csv,
)

urlpatterns = [
    path("runs/<int:number>/bbq/", run_board, name="run_bbq"),
    path("runs/<int:number>/bbq/<slug:table>/csv/", run_board_csv, name="run_bbq_csv"),
    path("runs/<int:number>/bbq/labels/", run_labels, name="run_bbq_labels"),
    path("runs/<int:number>/bbq/labels/scores.csv", run_labels_csv, name="run_bbq_labels_csv"),
    path("runs/<int:number>/bbq/labels/<slug:across>.svg", run_labels_svg, name="run_bbq_labels_svg"),
    path("runs/<int:number>/bbq/templates/", run_templates, name="run_bbq_templates"),
    path("runs/<int:number>/bbq/templates/rates.csv", run_templates_csv, name="run_bbq_templates_csv"),
    path("runs/<int:number>/bbq/template/", run_template, name="run_bbq_template"),
    path("runs/<int:number>/bbq/questions/", run_bbq_items, name="run_bbq_items"),
    path("bbq/", boards, name="bbq"),
    path("bbq/csv/", boards_csv, name="bbq_csv"),
    path("bbq/board.svg", board_svg, name="bbq_board_svg"),
    path("bbq/costs.svg", costs_svg, name="bbq_costs_svg"),
]
