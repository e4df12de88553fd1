"""The desk's addresses."""

from django.urls import path

from plumbline.review.views import explorer, models, plans, run_actions, saved_queries, sql
from plumbline.review.views.cell import cell
from plumbline.review.views.comparison import compare, compare_ask
from plumbline.review.views.confounds import confounds, confounds_ask
from plumbline.review.views.items import items
from plumbline.review.views.measures import run_measures
from plumbline.review.views.overview import overview
from plumbline.review.views.rests import rests
from plumbline.review.views.runs import run_list, run_page, run_progress, run_provenance

urlpatterns = [
    path("", overview, name="overview"),
    path("runs/", run_list, name="runs"),
    path("runs/<int:number>/", run_page, name="run"),
    path("runs/<int:number>/progress/", run_progress, name="run_progress"),
    path("runs/<int:number>/measures/", run_measures, name="run_measures"),
    path("runs/<int:number>/provenance/", run_provenance, name="run_provenance"),
    path("runs/<int:number>/cancel/", run_actions.run_cancel, name="run_cancel"),
    path("runs/<int:number>/resume/", run_actions.run_resume, name="run_resume"),
    path("runs/<int:number>/again/", run_actions.run_ask_again, name="run_ask_again"),
    path("models/", models.model_list, name="models"),
    path("models/history/", models.model_page, name="model"),
    path("plans/", plans.plan_list, name="plans"),
    path("plans/<int:number>/", plans.plan_page, name="plan"),
    path("plans/<int:number>/launch/", plans.plan_launch, name="plan_launch"),
    path("compare/", compare, name="compare"),
    path("compare/ask/", compare_ask, name="compare_ask"),
    path("vocabularies/<slug:kind>/<slug:slug>/runs/", rests, name="rests"),
    path("vocabularies/<slug:kind>/<slug:slug>/confounds/", confounds, name="confounds"),
    path("vocabularies/<slug:kind>/<slug:slug>/confounds/ask/", confounds_ask, name="confounds_ask"),
    path("runs/<int:number>/explorer/", explorer.explorer, name="explorer"),
    path("runs/<int:number>/explorer/data/", explorer.explorer_data, name="explorer_data"),
    path("runs/<int:number>/explorer/csv/", explorer.explorer_csv, name="explorer_csv"),
    path("runs/<int:number>/cell/", cell, name="cell"),
    path("runs/<int:number>/items/", items, name="items"),
    path("sql/", sql.sql, name="sql"),
    path("sql/answer/", sql.sql_answer, name="sql_answer"),
    path("sql/file/", sql.sql_file, name="sql_file"),
    path("sql/cancel/", sql.sql_cancel, name="sql_cancel"),
    path("sql/asked/<int:pk>/", sql.sql_asked, name="sql_asked"),
    path("sql/examples/<slug:slug>/", sql.sql_example, name="sql_example"),
    path("sql/saved/<int:pk>/", sql.sql_saved, name="sql_saved"),
    path("sql/save/", saved_queries.sql_save, name="sql_save"),
    path("sql/saved/<int:pk>/edit/", saved_queries.sql_edit, name="sql_edit"),
    path("sql/saved/<int:pk>/delete/", saved_queries.sql_delete, name="sql_delete"),
]
